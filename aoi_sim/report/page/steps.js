// The game: positions made from the first one and the patches, and where rounds and turns begin.

const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);

/** A merge patch (RFC 7386) applied to a value, which stays as it is: positions share what no patch touches. */
function merged(target, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const keeps = target !== null && typeof target === "object" && !Array.isArray(target);
  const out = keeps ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = merged(out[key], value);
  }
  return out;
}

const positions = [data.first];
const decisions = data.steps.map(([line, seat, text, patch]) => {
  const before = positions.at(-1);
  positions.push(merged(before, patch));
  const gains = gainsBetween(before.table.seats, positions.at(-1).table.seats);
  return { line, seat, text, round: before.table.round, turn: before.table.turn, gains };
});
const LAST = positions.length - 1;
const SEATS = Object.keys(data.first.table.seats);
const roundStarts = startsOf(({ table }) => table.round);
const turnStarts = startsOf(({ table }, k) => `${table.round}/${table.round ? table.turn : k}`);

/** What VP each seat gained between two positions: seat, source, n. */
function gainsBetween(before, after) {
  const gains = [];
  for (const seat of Object.keys(after)) {
    for (const [source, n] of Object.entries(after[seat].vp_from)) {
      const more = n - (before[seat].vp_from[source] ?? 0);
      if (more) gains.push({ seat, source, n: more });
    }
  }
  return gains;
}

/** The steps at which something changes, with the first and the last one. */
function startsOf(of) {
  const starts = [0];
  for (let k = 1; k < positions.length; k++) if (of(positions[k], k) !== of(positions[k - 1], k - 1)) starts.push(k);
  if (starts.at(-1) !== LAST) starts.push(LAST);
  return starts;
}

const words = (name) => name.replaceAll("_", " ");
const signed = (n) => (n < 0 ? `−${-n}` : `+${n}`);

/** An element: tag with classes (`li.round`), attributes, children (texts or elements). */
function make(kind, attributes = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  return dressed(document.createElement(tag), classes, attributes, children);
}

/** The same for a picture. */
function draw(kind, attributes = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  return dressed(document.createElementNS("http://www.w3.org/2000/svg", tag), classes, attributes, children);
}

function dressed(element, classes, attributes, children) {
  if (classes.length) element.classList.add(...classes);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Fill and ink of a seat: its home terrain, white before it has a board. */
function seatLook(position, seat) {
  return data.looks.terrains[position.said.seats[seat]?.terrain] ?? { fill: "#FFFFFF", ink: "#1F2328" };
}

/** The round marker of a seat, or of the rival. */
function chip(position, seat) {
  const { fill, ink } = seatLook(position, seat);
  const rival = seat === "rival";
  const title = rival ? "rival" : `seat ${seat}`;
  return make("span.chip", { style: { background: fill, color: ink }, title }, rival ? "R" : String(seat));
}
