// Log, buttons, keys and slider: which step is shown.

const log = find("log");
const slider = find("slider");
let shown = 0;

const entries = [logEntry(0, "the table before the first decision")];
log.append(entries[0]);
for (const [k, decision] of decisions.entries()) {
  if (k === 0 || decision.round !== decisions[k - 1].round) {
    log.append(make("li.round", {}, decision.round ? `Round ${decision.round}` : "Set-up"));
  }
  const gains = decision.gains.map(({ seat, source, n }) => {
    const whose = seat === String(decision.seat) ? "" : ` seat ${seat}`;
    return make("span.gain", {}, `${signed(n)} ${words(source)}${whose}`);
  });
  const entry = logEntry(k + 1, chip(positions[k + 1], decision.seat), ` ${decision.text}`, ...gains);
  if (decision.text === "end") entry.classList.add("end");
  entries.push(entry);
  log.append(entry);
}

function logEntry(k, ...children) {
  return make("li", { "data-step": k }, ...children);
}

log.addEventListener("click", (event) => {
  const entry = event.target.closest("[data-step]");
  if (entry) show(Number(entry.dataset.step));
});

const before = (starts) => starts.findLast((k) => k < shown) ?? 0;
const after = (starts) => starts.find((k) => k > shown) ?? LAST;
const GO = {
  first: () => 0,
  roundBack: () => before(roundStarts),
  turnBack: () => before(turnStarts),
  back: () => shown - 1,
  on: () => shown + 1,
  turnOn: () => after(turnStarts),
  roundOn: () => after(roundStarts),
  last: () => LAST,
};
const KEYS = {
  Home: "first", PageUp: "roundBack", "Shift ArrowLeft": "turnBack", ArrowLeft: "back",
  ArrowRight: "on", "Shift ArrowRight": "turnOn", PageDown: "roundOn", End: "last",
};

for (const button of document.querySelectorAll("[data-go]")) {
  button.addEventListener("click", () => show(GO[button.dataset.go]()));
}
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const go = KEYS[(event.shiftKey ? "Shift " : "") + event.key];
  if (!go) return;
  event.preventDefault(); // the slider has keys of its own, the page would scroll
  show(GO[go]());
});
slider.max = LAST;
slider.addEventListener("input", () => show(Number(slider.value)));

function show(k) {
  shown = Math.min(Math.max(k, 0), LAST);
  const position = positions[shown];
  const decision = decisions[shown - 1];
  showNow(position, decision);
  showRounds(position);
  showMap(position, decision);
  showSeats(position, positions[shown - 1]);
  showScores(position);
  showCourse(shown);
  showScience(position);
  showTiles(position);
  showLog();
}

function showNow(position, decision) {
  const { round, turn } = position.table;
  const when = round ? `round ${round}, turn ${turn}` : "set-up";
  slider.value = shown;
  slider.setAttribute("aria-valuetext", `step ${shown} of ${LAST}, ${when}`);
  find("count").textContent = `Step ${shown} of ${LAST} · ${when}`;
  const gains = SEATS.map((seat) => gainsOf(seat, decision)).filter(Boolean);
  find("now").replaceChildren(
    ...(decision
      ? [chip(position, decision.seat), ` seat ${decision.seat}: `, make("b", {}, decision.text), tail(gains)]
      : ["The table before the first decision"]),
  );
  if (decision) find("now").append(make("small", {}, ` line ${decision.line} of the record`));
  find("headline").textContent = position.said.headline;
  find("asked").textContent = position.said.asked ? `To decide: ${position.said.asked}` : "";
  for (const button of document.querySelectorAll("[data-go]")) {
    const backward = ["first", "roundBack", "turnBack", "back"].includes(button.dataset.go);
    button.setAttribute("aria-disabled", String(shown === (backward ? 0 : LAST)));
  }
}

const tail = (gains) => (gains.length ? ` · VP of ${gains.join("; ")}` : "");

/** `seat 1 +18 area, +2 science`, nothing when it gained nothing. */
function gainsOf(seat, decision) {
  const own = (decision?.gains ?? []).filter((gain) => gain.seat === seat);
  return own.length ? `seat ${seat} ${own.map(({ source, n }) => `${signed(n)} ${words(source)}`).join(", ")}` : "";
}

function showLog() {
  log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const entry = entries[shown];
  entry.setAttribute("aria-current", "step");
  log.scrollTop = entry.offsetTop - log.clientHeight / 2; // the log alone: the page stays where it is
}

show(0);
