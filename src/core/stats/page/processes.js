// The processes of stats --web --processes: a card with a table, the most CPU time first. Names come from /proc and may hold
// anything: they become text alone, and the style sheet keeps what is written from right to left within its cell.
var processTable = (function () {
  "use strict";
  const { rounded, make, say } = psuite;
  const COLUMNS = [["pid", "number"], ["CPU %", "number"], ["resident", "number"], ["threads", "number"], ["state", ""], ["program", "name"]];

  function makeTable() {
    const card = make("figure", { class: "card processes" }), table = make("table"), head = make("tr"), rows = make("tbody");
    const caption = make("caption", {}, "processes");
    for (const [name, kind] of COLUMNS) head.append(make("th", { scope: "col", class: kind }, name));
    const top = make("thead");
    top.append(head);
    table.append(caption, top, rows);
    card.append(table);
    card.hidden = true;
    return { card, caption, rows };
  }

  // at: what a sample has of the machine, or nothing.
  function drawTable(t, at) {
    const list = (at && at.processes) || [];
    t.card.hidden = !list.length;
    if (list.length)
      say(t.caption, "the busiest " + list.length + " of " + at.processesRead + " processes, over " + at.processesSpan.toFixed(1) + " s; 100% is one CPU");
    list.forEach((p, i) => {
      const row = t.rows.children[i] || t.rows.appendChild(make("tr"));
      const texts = [String(p.pid), p.cpu_pct.toFixed(1), rounded(p.resident_bytes) + "B", String(p.threads), p.state, p.program];
      texts.forEach((text, k) => say(row.children[k] || row.appendChild(make("td", { class: COLUMNS[k][1] })), text));
      row.lastChild.title = p.program;
    });
    while (t.rows.children.length > list.length) t.rows.lastChild.remove();
  }

  return { makeTable, drawTable };
})();
