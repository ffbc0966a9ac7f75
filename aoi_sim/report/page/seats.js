// The seats: resources and tiles of each, VP by source, and the course of the game.

const FACTS = [
  "tracks", "supply", "buildings", "annexes", "to place", "faction", "palace", "bonus", "city tiles", "competency",
  "innovation", "used", "river city",
];
const small = matchMedia("(max-width: 700px)").matches;
const cards = Object.fromEntries(
  SEATS.map((seat) => {
    const card = {
      root: make("article.seat", { "aria-label": `seat ${seat}`, "data-seat-card": seat }),
      head: make("h3"),
      goods: make("ul.goods"),
      facts: make("dl"),
    };
    const more = make("details", small ? {} : { open: "" }, make("summary", {}, "Tracks and tiles"), card.facts);
    card.root.append(card.head, card.goods, more);
    return [seat, card];
  }),
);
find("seats").style.setProperty("--seats", SEATS.length);
find("seats").append(...SEATS.map((seat) => cards[seat].root));

function showSeats(position, before) {
  for (const seat of SEATS) {
    const now = position.table.seats[seat];
    const { head, goods, facts, root } = cards[seat];
    const { fill, ink } = seatLook(position, seat);
    const moves = position.said.to_move === Number(seat);
    root.classList.toggle("moves", moves);
    head.style.background = fill;
    head.style.color = ink;
    const who = [now.faction ?? "no faction yet", now.board ?? "no board yet", data.heuristics[seat]];
    const mark = now.passed ? "passed" : moves ? "to move" : "";
    head.replaceChildren(
      make("span.chip", {}, seat),
      make("span.who", {}, who[0], make("small", {}, [...who.slice(1), mark].filter(Boolean).join(" · "))),
      make("span.vp", { "data-vp": seat }, `${now.vp} VP`),
    );
    goods.replaceChildren(...goodsOf(now, before?.table.seats[seat] ?? now));
    const said = position.said.seats[seat].facts;
    facts.replaceChildren(
      ...FACTS.filter((label) => said[label]).flatMap((label) => [
        make("dt", {}, label),
        ...said[label].map((text) => make("dd", {}, text)),
      ]),
    );
  }
}

/** Counters of a seat; what the step changed is marked. */
function goodsOf(now, old) {
  const counters = ["coins", "tools", "scholars", "keys"].map((name) => counter(name, name, now[name], old[name]));
  for (const [name, look] of Object.entries(data.looks.disciplines)) {
    const item = counter(`${name} books`, `${name.slice(0, 3)} bk`, now.books[name], old.books[name]);
    item.style.borderColor = look.fill;
    if (now.books[name]) Object.assign(item.style, { background: look.tint });
    counters.push(item);
  }
  for (const [k, name] of ["I", "II", "III"].entries()) {
    const item = counter(`power in bowl ${name}`, `bowl ${name}`, now.bowls[k], old.bowls[k]);
    item.classList.add("bowl");
    counters.push(item);
  }
  return counters;
}

function counter(title, label, n, old) {
  const text = n === old ? title : `${title}, ${signed(n - old)}`;
  return make(n === old ? "li" : "li.changed", { title: text }, make("b", {}, String(n)), ` ${label}`);
}

// ---- VP by source

const SOURCES = data.looks.groups.flatMap((group) => group.sources);
const used = SOURCES.filter((source) => positions.some(({ table }) => SEATS.some((s) => table.seats[s].vp_from[source])));
const groupSum = (seat, { sources }) => sources.reduce((sum, source) => sum + (seat.vp_from[source] ?? 0), 0);
const usedGroups = data.looks.groups.filter(({ sources }) => sources.some((source) => used.includes(source)));
const all = positions.flatMap(({ table }) => Object.values(table.seats));
const most = Math.max(1, ...all.map((seat) => usedGroups.reduce((sum, g) => sum + Math.max(0, groupSum(seat, g)), 0)));
const least = Math.min(0, ...all.map((seat) => usedGroups.reduce((sum, g) => sum + Math.min(0, groupSum(seat, g)), 0)));
find("groups").append(
  ...usedGroups.map(({ name, fill, sources }) =>
    make("li", { title: sources.map(words).join(", ") }, make("b.swatch", { style: { background: fill } }), name),
  ),
);

function showScores(position) {
  const { seats } = position.table;
  find("bars").replaceChildren(...SEATS.map((seat) => bar(position, seat)));
  const header = make("tr", {}, make("th", { scope: "col" }, "source"));
  header.append(...SEATS.map((seat) => make("th", { scope: "col" }, chip(position, seat))));
  const rows = used.map((source) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, words(source)),
      ...SEATS.map((seat) => scoreCell(seats[seat].vp_from[source] ?? 0)),
    ),
  );
  const sum = SEATS.map((seat) => make("td", {}, String(seats[seat].vp)));
  const foot = make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "all"), ...sum));
  find("vp").replaceChildren(
    find("vp").querySelector("caption"),
    make("thead", {}, header),
    make("tbody", {}, ...rows),
    foot,
  );
}

const scoreCell = (n) => make(n ? "td" : "td.none", {}, String(n));

/** VP of a seat as one bar in the groups' colours; what was paid lies left of zero. */
function bar(position, seat) {
  const span = most - least;
  const now = position.table.seats[seat];
  const sums = usedGroups.map((group) => ({ ...group, n: groupSum(now, group) })).filter(({ n }) => n);
  const parts = sums.map(({ name, fill, n }) =>
    make("span", { style: { width: `${(100 * Math.abs(n)) / span}%`, background: fill }, title: `${name} ${n}` }),
  );
  const paid = parts.filter((_, k) => sums[k].n < 0);
  const gained = parts.filter((_, k) => sums[k].n > 0);
  const gap = (100 * (sums.filter(({ n }) => n < 0).reduce((sum, { n }) => sum + n, 0) - least)) / span;
  const told = sums.map(({ name, n }) => `${name} ${n}`).join(", ");
  const line = make("div.bar", { role: "img", "aria-label": `seat ${seat}, ${now.vp} VP: ${told}` });
  line.append(make("span", { style: { width: `${gap}%` } }), ...paid, make("i"), ...gained);
  return make("div.row", {}, chip(position, seat), line, make("b", {}, String(now.vp)));
}

// ---- VP as the game goes: a line a seat, drawn once, with a cursor

const COURSE = { wide: small ? 350 : 520, tall: 190, left: 38, right: 30, top: 8, bottom: 20 };
const end = positions[LAST];
const highest = Math.max(1, ...all.map(({ vp }) => vp));
const courseX = (k) => COURSE.left + ((COURSE.wide - COURSE.left - COURSE.right) * k) / Math.max(LAST, 1);
const courseY = (vp) => COURSE.tall - COURSE.bottom - ((COURSE.tall - COURSE.top - COURSE.bottom) * Math.max(vp, 0)) / highest;
const cursor = draw("line.cursor", { y1: COURSE.top, y2: COURSE.tall - COURSE.bottom });
find("course").append(courseDrawing());

function courseDrawing() {
  const scores = SEATS.map((seat) => `seat ${seat} ${end.table.seats[seat].vp}`).join(", ");
  const picture = draw("svg", {
    viewBox: `0 0 ${COURSE.wide} ${COURSE.tall}`,
    role: "img",
    "aria-label": `VP of each seat at each step; at the end ${scores}`,
  });
  for (let vp = 0; vp <= highest; vp += highest > 120 ? 50 : 25) {
    const y = courseY(vp);
    picture.append(draw("line.grid", { x1: COURSE.left, x2: COURSE.wide - COURSE.right, y1: y, y2: y }));
    picture.append(draw("text.tick", { x: COURSE.left - 6, y: y + 4, "text-anchor": "end" }, String(vp)));
  }
  for (const k of roundStarts.filter((start) => start > 0 && start < LAST)) {
    const x = courseX(k);
    picture.append(draw("line.grid", { x1: x, x2: x, y1: COURSE.top, y2: COURSE.tall - COURSE.bottom }));
    picture.append(draw("text.tick", { x: x + 3, y: COURSE.tall - 6 }, String(positions[k].table.round)));
  }
  picture.append(draw("text.tick", { x: 0, y: COURSE.tall - 6 }, "round"));
  for (const seat of SEATS) {
    const points = positions.map(({ table }, k) => `${courseX(k).toFixed(1)},${courseY(table.seats[seat].vp).toFixed(1)}`);
    const { fill } = seatLook(end, seat);
    picture.append(draw("polyline", { points: points.join(" "), stroke: "#1F2328", "stroke-width": 4 }));
    picture.append(draw("polyline", { points: points.join(" "), stroke: fill, "stroke-width": 2.4 }));
  }
  picture.append(cursor, ...courseEnds());
  return picture;
}

/** Markers of the seats at the right, moved apart where scores are near each other. */
function courseEnds() {
  const order = [...SEATS].sort((a, b) => end.table.seats[b].vp - end.table.seats[a].vp);
  let last = -Infinity;
  return order.map((seat) => {
    last = Math.max(courseY(end.table.seats[seat].vp), last + 15);
    const { fill, ink } = seatLook(end, seat);
    return draw(
      "g",
      { transform: `translate(${COURSE.wide - 14} ${last})` },
      draw("circle", { r: 8, fill, stroke: "#1F2328" }),
      draw("text", { y: 4, "text-anchor": "middle", "font-size": 11, "font-weight": 700, fill: ink }, seat),
    );
  });
}

function showCourse(k) {
  cursor.setAttribute("x1", courseX(k));
  cursor.setAttribute("x2", courseX(k));
}
