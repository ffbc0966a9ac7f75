// What lies beside the map: round tiles, science, actions and tiles on offer.

const DISCIPLINES = Object.keys(data.looks.disciplines);

function showRounds({ table }) {
  const now = table.phase === "over" ? data.rounds.length : table.round;
  find("rounds").replaceChildren(
    ...data.rounds.map(([heading, key, ...lines], k) => {
      const final = k === data.rounds.length - 1;
      const n = final ? k : k + 1; // the final tile is scored in the last round
      const state = n < now || table.phase === "over" ? "past" : n === now ? "current" : "coming";
      const note = { past: " · done", current: " · now", coming: "" }[state];
      const card = make(`li.${state}`, {}, make("small", {}, heading + note), make("b", {}, key));
      if (state === "current" && !final) card.setAttribute("aria-current", "true");
      card.append(...lines.filter(Boolean).map((line) => make("span", {}, line)));
      return card;
    }),
  );
  const card = find("rounds").children[Math.max(0, Math.min(now, data.rounds.length) - 1)];
  find("rounds").scrollLeft = card.offsetLeft - 8; // on a small screen the tiles are a strip
}

function showScience(position) {
  const { table } = position;
  const head = make("tr", {}, make("th", { scope: "col" }, "level"));
  for (const name of DISCIPLINES) {
    const { fill, ink } = data.looks.disciplines[name];
    head.append(make("th", { scope: "col", style: { background: fill, color: ink } }, name));
  }
  const rows = data.rules.levels.map((note, level) => {
    const row = make("tr", {}, make("th", { scope: "row" }, String(level), make("small", {}, note)));
    for (const name of DISCIPLINES) row.append(scienceCell(position, name, level));
    return row;
  });
  const places = make("tr", {}, make("th", { scope: "row" }, "scholars"));
  for (const name of DISCIPLINES) {
    const cell = make("td");
    for (const { value, seat } of table.scholar_places[name]) {
      cell.append(seat === undefined ? make("span.place", {}, String(value)) : chip(position, seat));
    }
    places.append(cell);
  }
  const caption = find("science").querySelector("caption");
  const body = make("tbody", {}, ...rows.reverse(), places);
  find("science").replaceChildren(caption, make("thead", {}, head), body);
}

function scienceCell(position, name, level) {
  const { seats, rival } = position.table;
  const here = SEATS.filter((seat) => seats[seat].science[name] === level);
  if (rival?.[name] === level) here.push("rival");
  const { tint } = data.looks.disciplines[name];
  return make("td", { style: { background: tint } }, ...here.map((seat) => chip(position, seat)));
}

const effect = (table, key) => data.tiles[`${table}/${key}`] ?? "";

/** A group of tiles: heading, and for each its key, a note and its effects; `gone` is struck through. */
function tileGroup(heading, table, tiles) {
  const items = tiles.map(({ key, note = "", gone = false }) =>
    make(gone ? "li.gone" : "li", {}, make("b", {}, key), note ? ` ${note}` : "", make("span", {}, effect(table, key))),
  );
  return make("section", { "data-tiles": table }, make("h3", {}, heading), items.length ? make("ul", {}, ...items) : make("p", {}, "none"));
}

function actionTiles(kind, keys, taken) {
  return keys.map((key) => {
    const gone = taken.includes(key);
    return { key, gone, note: `for ${data.rules.costs[`${kind}/${key}`]}${gone ? ", used" : ""}` };
  });
}

function showTiles({ table }) {
  const power = Object.keys(data.rules.costs)
    .filter((name) => name.startsWith("power_actions/"))
    .map((name) => name.split("/")[1]);
  const counted = (tiles, left) => Object.entries(tiles).map(([key, n]) => ({ key, note: left(n), gone: n === 0 }));
  const competencies = table.competencies.map(({ key, discipline, left }) => ({
    key, note: `${discipline} ×${left}`, gone: left === 0,
  }));
  const groups = [
    tileGroup("Power actions", "power_actions", actionTiles("power_actions", power, table.used_power_actions)),
    tileGroup("Book actions", "book_actions", actionTiles("book_actions", table.book_actions, table.used_book_actions)),
    tileGroup(
      "Round bonus tiles",
      "bonus_tiles",
      Object.entries(table.bonus_tiles).map(([key, n]) => ({ key, note: n ? `+${n} coins` : "" })),
    ),
    tileGroup("Palaces on offer", "palaces", table.palaces.map((key) => ({ key }))),
    tileGroup("City tiles", "city_tiles", counted(table.city_tiles, (n) => `×${n}`)),
    tileGroup("Competencies", "competencies", competencies),
    tileGroup("Innovations", "innovations", table.innovations.map(({ key, column }) => ({ key, note: column }))),
  ];
  const setup = [
    ...table.bundles.map(({ board, faction, bonus }) => ({ key: board, note: `${faction}, ${bonus}` })),
    ...table.draft_boards.map((key) => ({ key, note: "board" })),
    ...table.draft_factions.map((key) => ({ key, note: "faction" })),
  ];
  if (setup.length) groups.unshift(tileGroup("Set-up offers", "", setup));
  if (table.book_supply) {
    const books = Object.entries(table.book_supply).map(([key, n]) => ({ key, note: `×${n}`, gone: n === 0 }));
    groups.push(tileGroup("Books in the box", "", books));
  }
  find("tiles").replaceChildren(...groups);
}
