// One page of all recordings: what is selected in the timeline is counted in the flame graph.
"use strict";
(function () {
  const { counted, joined, make, say, modified, placeIn } = psuite;
  const { trace, view, picture } = timeline;
  const $ = (id) => document.getElementById(id), WAIT_MS = 120;
  const about = JSON.parse($("about").textContent), doctorText = $("doctor").textContent;
  const samples = about.samples && $("samples").textContent.trim() ? new Samples($("samples").textContent) : null;
  const canvas = $("picture"), host = $("flame"), stats = $("stats");
  for (const id of ["about", "doctor", "samples"]) $(id).remove();
  let picked = null, flame = null, shown = "", later = 0, counts = null;

  // --- the rows
  const synthetic = samples && !trace.tasks.length;
  if (synthetic) samples.fill(trace);
  view.busiest = true;
  const strips = new Strips(about.graphs, stats, timeline);

  // --- what is selected: a time, and a thread or a CPU
  const range = () => view.range || [0, trace.length];
  function pick(row) {
    const same = picked && picked.row === row;
    if (picked) picked.row.picked = false;
    picked = null;
    if (row && !same) {
      const cpu = trace.cpuRows.indexOf(row), task = trace.taskRows.indexOf(row);
      picked = { row, cpu, tid: task >= 0 ? trace.tasks[task].pid : -1 };
      row.picked = true;
    }
    timeline.settle();
  }
  function only() {
    if (!picked) return null;
    const { cpu, tid } = picked;
    if (cpu >= 0) return (s, i) => s.cpu[i] === cpu;
    return (s, i) => s.thread[i] >= 0 && s.threads[s.thread[i]].tid === tid;
  }
  function selectionText() {
    const [from, to] = range(), time = view.range ? `${timeText(from)} to ${timeText(to)} (${timeText(to - from)})` : `all ${timeText(to)}`;
    return joined(time, picked ? picked.row.name : "all threads");
  }

  // --- the flame graph of it
  function message(text) {
    host.replaceChildren(make("p", {}, text));
  }
  function render() {
    const sought = flame ? flame.searched() : "";
    if (flame) flame.close();
    flame = null;
    later = 0;
    say($("selection"), selectionText());
    $("whole").disabled = !view.range;
    $("everyone").disabled = !picked;
    if (!samples) return message("No samples were recorded: see the notes below.");
    counts = samples.count(...range(), only());
    if (!counts.all) return message("No sample is in the selection.");
    const svg = new Flame(samples, counts).build();
    host.replaceChildren(svg);
    flame = psuite.flame(svg);
    if (sought) flame.search(sought);
  }
  const key = () => JSON.stringify([range(), picked && picked.row.name]);
  function update() {
    strips.draw();
    const now = key();
    if (now === shown) return;
    shown = now;
    clearTimeout(later);
    later = setTimeout(render, WAIT_MS);
  }

  // --- keys and pointer, beside the timeline's own
  const KEYS = [
    ["f", "stacks of the selected row alone; again: of all", () => pick(view.rows[view.selected])],
    ["b e", "begin, end the selection at the cursor", null],
  ];
  function bound(end) {
    if (view.cursor < 0) return;
    const [from, to] = range();
    if (end ? view.cursor > from : view.cursor < to) timeline.measure(end ? from : view.cursor, end ? view.cursor : to);
  }
  const list = $("help").querySelector("dl");
  for (const [key, what] of [...KEYS, ["click on a name", "as f"]]) list.append(make("dt", {}, key), make("dd", {}, what));
  document.addEventListener("keydown", (e) => {
    if (modified(e) || e.target.localName === "input") return;
    if (e.key === "f") KEYS[0][2]();
    else if (e.key === "b" || e.key === "e") bound(e.key === "e");
    else return;
    e.preventDefault();
  });
  host.addEventListener("keydown", (e) => e.stopPropagation()); // its own keys are not the timeline's
  let down = [0, 0];
  canvas.addEventListener("pointerdown", (e) => { down = placeIn(canvas, e); });
  canvas.addEventListener("click", (e) => {
    const [x, y] = placeIn(canvas, e), moved = Math.abs(x - down[0]) + Math.abs(y - down[1]) > 3;
    const row = timeline.rowAt(y);
    if (!moved && row && x < picture.labels) pick(row);
  });
  stats.addEventListener("pointermove", (e) => {
    const [x, y] = placeIn(stats, e);
    if (x >= picture.labels) say($("said"), strips.text(y, picture.t(x)));
  });
  $("whole").addEventListener("click", () => { view.range = null; timeline.settle(); });
  $("everyone").addEventListener("click", () => pick(null));

  // --- what was recorded, what is missing, what the machine can do
  function tellFacts() {
    const { scheduler } = about, lost = (about.samples ? about.samples.lost : 0) + (scheduler ? scheduler.lost : 0);
    const parts = [`${timeText(about.length_ns)} on ${about.host || "an unknown machine"}`, counted(about.cpus, "CPU"),
      about.samples ? `${counted(about.samples.shown, "sample")} at ${about.samples.hz} Hz` : "no samples",
      scheduler ? `${counted(scheduler.events, "scheduler event")}` : "no scheduler", about.stats ? "" : "no statistics"];
    $("facts").append(parts.filter(Boolean).join(", "));
    if (lost) $("facts").append(", ", make("span", { class: "lost" }, `${lost} lost`));
    if (!about.ended) $("facts").append(", ", make("span", { class: "lost" }, "cut off"));
  }
  function tellNotes() {
    const told = [...about.notes];
    if (about.samples) told.push(`samples: ${joined(about.samples.method, about.samples.sampled)}`);
    if (synthetic) told.push("timeline: made of the samples, as there is no recording of the scheduler");
    if (Math.abs(about.clock_set_ns) > 1e6) told.push(`stats: the clock was set by ${timeText(about.clock_set_ns)} meanwhile: its times are wrong by that`);
    for (const g of about.graphs.graph) if (g.why) told.push(`stats: ${g.summary}: ${g.why}`);
    told.push(joined(`${about.machine || "unknown machine"}, Linux ${about.kernel || "unknown"}`, new Date(about.start_ms).toISOString()));
    $("notes").querySelector("summary").textContent = `How it was recorded: ${counted(told.length, "note")}`;
    for (const line of told) $("notes").querySelector("ul").append(make("li", {}, line));
    $("notes").open = !about.samples || !about.scheduler;
  }
  function tellDoctor() {
    let found = null;
    try { found = JSON.parse(doctorText); } catch (e) { /* absent, or damaged */ }
    const table = make("table"), body = table.appendChild(make("tbody"));
    const listed = (v) => (Array.isArray(v) ? v.filter((one) => one) : []);
    for (const applet of listed(found && found.applets))
      for (const one of listed(applet.abilities))
        if (!one.works) {
          const row = body.appendChild(make("tr"));
          for (const text of [applet.name, one.what, one.why, one.remedy]) row.append(make("td", {}, `${text || ""}`));
        }
    const rows = body.children.length, where = $("doctored");
    where.querySelector("summary").textContent = found ? `Doctor: ${counted(rows, "measurement")} not possible on this machine` : "Doctor: no report";
    where.querySelector("div").append(rows ? table : make("p", {}, found ? "all work" : "see the notes"));
  }

  canvas.addEventListener("timeline", update);
  tellFacts();
  tellNotes();
  tellDoctor();
  timeline.settle();
  window.snap = { samples, about, strips, pick, counts: () => counts, pending: () => later !== 0 || key() !== shown, shown: () => shown !== "" }; // for those who type into the console
})();
