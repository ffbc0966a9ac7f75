// Sorting: a click on a column's head sorts by it, a second click the other way round. Empty cells stay last.
"use strict";
function compare(a, b) {
  if (a === "" || b === "") return (a === "") - (b === "");
  const x = Number(a), y = Number(b);
  return isNaN(x) || isNaN(y) ? a.localeCompare(b, "en", {numeric: true}) : x - y;
}
function sortBy(table, column, heads) {
  const head = heads[column];
  const words = head.classList.contains("text");
  const before = head.getAttribute("aria-sort");
  const down = before === null ? !words : before === "ascending";
  heads.forEach(other => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  const value = row => row.cells[column].dataset.value;
  const rows = Array.from(body.rows).sort((a, b) => {
    const order = compare(value(a), value(b));
    return down && value(a) !== "" && value(b) !== "" ? -order : order;
  });
  body.append(...rows);
}
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) =>
    head.querySelector("button").addEventListener("click", () => sortBy(table, column, heads)));
}
