// The map: terrain, pieces, bridges and cities of a position.

const cells = Object.fromEntries([...document.querySelectorAll("#map [data-hex]")].map((g) => [g.dataset.hex, g]));
const bridgePlaces = [...document.querySelectorAll("#map [data-bridge-place]")];

function showMap(position, decision) {
  const { table } = position;
  const owned = Object.entries(table.seats).flatMap(([seat, s]) =>
    Object.entries(s.buildings).map(([hex, building]) => ({ hex, seat, ...building })),
  );
  for (const [hex, terrain] of Object.entries(table.terrain)) showTerrain(cells[hex], terrain);
  const built = new Set(table.bridges.map(([a, b]) => `${a}-${b}`));
  for (const place of bridgePlaces) {
    const [a, b] = place.dataset.bridgePlace.split("-");
    place.style.display = built.has(`${a}-${b}`) || built.has(`${b}-${a}`) ? "none" : "";
  }
  find("pieces").replaceChildren(
    ...Object.entries(table.seats).flatMap(([seat, s]) => s.river_cities.map((hex) => riverCity(position, seat, hex))),
    ...owned.map((building) => piece(position, building)),
    ...table.bridges.map((bridge) => bridgeDrawing(position, ...bridge)),
    ...namedHexes(decision).map((hex) => draw("circle.spot", { ...spotAt(hex), r: data.looks.radius * 0.93 })),
  );
}

function showTerrain(cell, terrain) {
  if (cell.dataset.terrain === terrain) return;
  const { fill, ink } = data.looks.terrains[terrain];
  const [ground, pattern] = cell.querySelectorAll("polygon");
  const [name, initial] = cell.querySelectorAll("text");
  cell.dataset.terrain = terrain;
  cell.querySelector("title").textContent = `${cell.dataset.hex} ${terrain}`;
  ground.setAttribute("fill", fill);
  pattern.setAttribute("fill", `url(#aoi-${terrain})`);
  for (const text of [name, initial]) text.setAttribute("fill", ink);
  initial.textContent = terrain[0].toUpperCase();
}

const spotAt = (hex) => ({ cx: data.looks.places[hex][0], cy: data.looks.places[hex][1] });
const moved = (hex) => ({ transform: `translate(${data.looks.places[hex].join(" ")})` });

/** The hexes that a decision names: `transform F5>desert`, `bridge A3-B1`. */
function namedHexes(decision) {
  const found = (decision?.text ?? "").match(/\b[A-I]\d{1,2}\b/g) ?? [];
  return found.filter((hex) => hex in data.looks.places);
}

function piece(position, { hex, seat, kind, neutral, annex, city }) {
  const { fill, ink } = seatLook(position, seat);
  const marks = [annex ? ", annex" : "", city ? ", city" : ""].join("");
  const size = data.looks.radius * 0.42;
  const group = draw(
    "g",
    { ...moved(hex), "data-building": hex, "data-kind": kind, "data-seat": seat },
    draw("title", {}, `${hex}: ${neutral ? "neutral " : ""}${kind} of seat ${seat}${marks}`),
  );
  if (city) group.append(draw("use", { href: "#mark-city" }));
  group.append(
    draw("use", { href: `#piece-${kind}${neutral ? "-neutral" : ""}`, style: { color: fill } }),
    number(seat, size * 0.58, size * 0.86, neutral ? "#1F2328" : ink),
  );
  if (annex) group.append(draw("use", { href: "#mark-annex" }));
  return group;
}

function number(seat, y, size, ink) {
  return draw("text", { y, "font-size": size, "font-weight": 700, "text-anchor": "middle", fill: ink }, String(seat));
}

function marker(position, seat, x, y) {
  const { fill, ink } = seatLook(position, seat);
  const { radius } = data.looks;
  return draw(
    "g",
    { transform: `translate(${x} ${y})` },
    draw("circle", { r: radius * 0.24, fill, stroke: "#1F2328", "stroke-width": 1.6 }),
    number(seat, radius * 0.11, radius * 0.31, ink),
  );
}

function riverCity(position, seat, hex) {
  return draw(
    "g",
    { ...moved(hex), "data-river-city": hex, "data-seat": seat },
    draw("title", {}, `city over river ${hex} of seat ${seat}`),
    draw("use", { href: "#mark-city" }),
    marker(position, seat, 0, -data.looks.radius * 0.35),
  );
}

function bridgeDrawing(position, a, b, seat) {
  const [ax, ay] = data.looks.places[a];
  const [bx, by] = data.looks.places[b];
  const at = (share) => [ax + (bx - ax) * share, ay + (by - ay) * share];
  const [x1, y1] = at(0.29);
  const [x2, y2] = at(0.71);
  const colours = [["#FFFFFF", 14], ["#1F2328", 11], [seatLook(position, seat).fill, 6.5]];
  return draw(
    "g",
    { "data-bridge": `${a}-${b}`, "data-seat": seat },
    draw("title", {}, `bridge ${a}-${b} of seat ${seat}`),
    ...colours.map(([stroke, wide]) =>
      draw("line", { x1, y1, x2, y2, stroke, "stroke-width": wide, "stroke-linecap": "round" }),
    ),
    marker(position, seat, (x1 + x2) / 2, (y1 + y2) / 2),
  );
}
