// Sorts the tables of a campaign's report by a click on a column, and filters its jobs.
"use strict";
(() => {
  const shows = (cell) => cell.dataset.sort ?? cell.textContent.trim();
  const order = new Intl.Collator("en", { numeric: true }).compare;

  function sort(table, column, down) {
    const rows = [...table.tBodies[0].rows];
    const keyed = rows.map((row) => [shows(row.cells[column]), row]);
    const numbers = keyed.every(([key]) => key !== "" && Number.isFinite(Number(key)));
    const compare = numbers ? (a, b) => a - b : order;
    keyed.sort(([a], [b]) => (down ? compare(b, a) : compare(a, b)));
    table.tBodies[0].append(...keyed.map(([, row]) => row));
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.textContent === "") return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, down);
      });
    });
  }

  const filters = document.getElementById("filters");
  if (filters === null) return;
  const rows = [...document.getElementById("jobs").tBodies[0].rows];
  const chosen = [...filters.querySelectorAll("select")];

  function filter() {
    let left = 0;
    for (const row of rows) {
      row.hidden = !chosen.every(
        ({ name, value }) => value === "" || row.dataset[name].split("|").includes(value));
      left += !row.hidden;
    }
    filters.querySelector("output").value = `${left} of ${rows.length} jobs`;
  }

  function all() {
    filters.reset();
    filter();
  }

  filters.addEventListener("change", filter);
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.querySelector("button").addEventListener("click", all);
  // A link to a job leads to it, whatever is filtered.
  window.addEventListener("hashchange", () => {
    const job = document.getElementById(location.hash.slice(1));
    if (job !== null && job.hidden) {
      all();
      job.scrollIntoView();
    }
  });
  filters.hidden = false;
  filter(); // a browser may have kept what was chosen
})();
