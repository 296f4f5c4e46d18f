// What a person does with the picture: zoom, move, search, point, measure. Every key is in KEYS.
"use strict";
(function () {
  const { clamp, percent, counted, joined, make, say, onceAFrame, onColours, modified, placeIn, searched } = psuite;
  const $ = (id) => document.getElementById(id);
  const trace = new Trace($("data").textContent), hit = { ...$("data").dataset };
  $("data").remove();
  const view = { from: 0, to: trace.length, top: 0, selected: 0, cursor: -1, range: null, byCpu: false,
    rows: trace.taskRows, rowHeight: TALL };
  const canvas = $("picture"), overview = $("overview"), said = $("said"), search = $("search");
  const picture = new Picture(trace, view, canvas, overview);
  const selects = document.querySelector("[data-drag=select]") !== null; // what dragging without shift does
  const fingers = new Map(); // by pointer: where each that is down is now, and the time it went down on
  let matches = null, drag = null;

  // --- drawing, once a frame at most
  const draw = onceAFrame(() => {
    picture.draw();
    canvas.dispatchEvent(new Event("timeline")); // for pages that have more than the timeline
  });
  const room = () => canvas.clientHeight - AXIS;
  const labels = () => picture.labels;
  function scroll(to) {
    view.top = clamp(to, 0, Math.max(0, view.rows.length * view.rowHeight - room()));
    draw();
  }
  function show(from, to) {
    const length = clamp(to - from, 100, trace.length * 1.02);
    view.from = clamp(from, -trace.length * 0.01, trace.length * 1.01 - length);
    view.to = view.from + length;
    draw();
  }
  const span = () => view.to - view.from;
  function zoom(by, about = view.cursor >= view.from && view.cursor <= view.to ? view.cursor : (view.from + view.to) / 2) {
    const length = clamp(span() * by, 100, trace.length * 1.02);
    show(about - ((about - view.from) * length) / span(), about + ((view.to - about) * length) / span());
  }
  const pan = (share) => show(view.from + span() * share, view.to + span() * share);

  // --- rows
  const match = (row) => matches !== null && matches(row.name);
  // Sorted by the time they ran in what is shown now.
  function busiest(rows) {
    const ran = new Map(rows.map((row) => [row, row.ranBefore(view.to) - row.ranBefore(view.from)]));
    return [...rows].sort((a, b) => ran.get(b) - ran.get(a));
  }
  function settle() {
    const all = view.byCpu ? trace.cpuRows : trace.taskRows;
    const any = all.some(match);
    view.rows = $("only").checked && any ? all.filter(match) : all;
    if (view.busiest) view.rows = busiest(view.rows);
    for (const row of all) row.hit = match(row) && !$("only").checked;
    view.rowHeight = view.flat ? FLAT : clamp(Math.floor(room() / view.rows.length), TALL, TALLEST);
    view.selected = clamp(view.selected, 0, view.rows.length - 1);
    scroll(view.top);
  }
  function select(index) {
    view.selected = clamp(index, 0, view.rows.length - 1);
    const y = view.selected * view.rowHeight;
    scroll(y < view.top ? y : Math.max(view.top, y + view.rowHeight - room()));
  }
  function byCpu(on) {
    view.byCpu = on;
    view.selected = 0;
    $("rows").textContent = on ? "By task" : "By CPU";
    settle();
  }

  // --- what is told of a place
  function spanText(id) {
    const how = trace.how[id], taker = trace.taker[id], cpu = trace.cpu[id] < trace.cpus ? `on CPU ${trace.cpu[id]}` : "";
    const waited = trace.wait[id] && `waited ${timeText(trace.wait[id])} to run`;
    return joined(trace.who(trace.tasks[trace.task[id]].pid), timeText(trace.start[id]), `ran ${timeText(trace.end[id] - trace.start[id])} ${cpu}`,
      waited, trace.waker[id] >= 0 && `woken by ${trace.who(trace.waker[id])}`,
      ENDS[how] + (taker >= 0 ? ` by ${trace.who(taker)}` : ""));
  }
  function markText(id) {
    return joined(trace.kind(id), timeText(trace.markTime[id]), trace.who((trace.tasks[trace.markTask[id]] || { pid: "" }).pid),
      trace.markText(id));
  }
  function lostText(t, row) {
    const gap = trace.lost.find((g) => t >= g.start && t <= g.end && (!view.byCpu || row.name === `CPU ${g.cpu}`));
    return gap && `${gap.count} events of CPU ${gap.cpu} were lost here`;
  }
  function textAt(row, t, near) {
    const m = row.firstMark(t - near), mark = row.marks[m];
    const marked = m < row.marks.length && trace.markTime[mark] <= t + near && ARROWS[trace.kind(mark)];
    const i = row.first(t - near), id = row.spans[i];
    const inside = i < row.spans.length && trace.start[id] - trace.wait[id] <= t + near;
    const waits = inside && t < trace.start[id] - near;
    return joined(marked && markText(mark), inside && (waits ? "waits for a CPU: " : "") + spanText(id), lostText(t, row)) ||
      joined(row.name, timeText(t), view.byCpu ? "idle" : "asleep");
  }
  const rowAt = (y) => view.rows[Math.floor((y - AXIS + view.top) / view.rowHeight)];
  function tell(x, y) {
    const row = rowAt(y);
    if (row && x >= labels()) say(said, textAt(row, picture.t(x), (2 * span()) / picture.width));
    else say(said, row ? rowText(row) : "");
  }
  function rowText(row) {
    const ran = row.ranBefore(view.to) - row.ranBefore(view.from), n = row.first(view.to) - row.first(view.from);
    return joined(row.name, `ran ${timeText(ran)} in ${counted(n, "run")}`, `${percent(ran / span())} of the view`);
  }
  function put(t) {
    view.cursor = clamp(t, 0, trace.length);
    if (t < view.from || t > view.to) show(t - span() / 2, t + span() / 2);
    const row = view.rows[view.selected];
    if (row) say(said, textAt(row, view.cursor, span() / picture.width / 4));
    draw();
  }

  // --- events one after the other: the starts of spans, and marks
  function step(row, way) {
    const from = view.cursor < 0 ? view.from - 1 : view.cursor;
    let i = row.first(from), m = row.firstMark(from);
    if (way > 0) {
      if (i < row.spans.length && trace.start[row.spans[i]] <= from) i++;
      while (m < row.marks.length && trace.markTime[row.marks[m]] <= from) m++;
    } else {
      if (!(i < row.spans.length && trace.start[row.spans[i]] < from)) i--;
      m--;
    }
    const times = [[trace.start, row.spans[i]], [trace.markTime, row.marks[m]]].filter((a) => a[1] !== undefined).map((a) => a[0][a[1]]);
    return times.length ? (way > 0 ? Math.min(...times) : Math.max(...times)) : null;
  }
  function stepIn(way) {
    const t = view.rows.length ? step(view.rows[view.selected], way) : null;
    if (t !== null) put(t);
  }
  // The next that was searched for: an event of a row whose name matches, or a mark whose text does.
  const markMatches = (id) => matches(trace.kind(id) + " " + trace.markText(id));
  function found(way) {
    if (!matches) return;
    let best = null;
    view.rows.forEach((row, index) => {
      const t = match(row) ? step(row, way) : nextMark(row, way);
      if (t !== null && (!best || (t - best.t) * way < 0)) best = { t, index };
    });
    if (!best) return;
    select(best.index);
    put(best.t);
  }
  function nextMark(row, way) {
    for (let m = row.firstMark(view.cursor) - (way < 0 ? 1 : 0); m >= 0 && m < row.marks.length; m += way)
      if ((trace.markTime[row.marks[m]] - view.cursor) * way > 0 && markMatches(row.marks[m])) return trace.markTime[row.marks[m]];
    return null;
  }
  function look() {
    matches = searched(search);
    const rows = (view.byCpu ? trace.cpuRows : trace.taskRows).filter(match).length;
    let marks = 0;
    if (matches) for (let i = 0; i < trace.markTime.length; i++) marks += markMatches(i);
    $("matched").textContent = matches ? `${counted(rows, "row")}, ${counted(marks, "mark")}` : "";
    settle();
    if (matches && rows) select(view.rows.findIndex(match));
  }

  // --- keys
  const KEYS = [
    ["+ - w s", "zoom", { "+": () => zoom(0.5), "=": () => zoom(0.5), w: () => zoom(0.5), "-": () => zoom(2), s: () => zoom(2) }],
    ["\u2190 \u2192 a d", "move in time; shift: by a screen", { ArrowLeft: (e) => pan(e.shiftKey ? -1 : -0.1), ArrowRight: (e) => pan(e.shiftKey ? 1 : 0.1),
      a: () => pan(-0.1), d: () => pan(0.1) }],
    ["\u2191 \u2193 PgUp PgDn", "previous, next row", { ArrowUp: () => select(view.selected - 1), ArrowDown: () => select(view.selected + 1),
      PageUp: () => select(view.selected - Math.floor(room() / view.rowHeight)), PageDown: () => select(view.selected + Math.floor(room() / view.rowHeight)) }],
    ["[ ]", "previous, next event of the row", { "[": () => stepIn(-1), "]": () => stepIn(1) }],
    ["Home End 0", "the start, the end, all of it", { Home: () => show(0, span()), End: () => show(trace.length - span(), trace.length), 0: () => show(0, trace.length) }],
    ["/ n N", "search: text or /regexp/; next and previous match", { "/": () => search.focus(), n: () => found(1), N: () => found(-1) }],
    ["c", "rows are CPUs, or tasks", { c: () => byCpu(!view.byCpu) }],
    ["o", "sort rows by run time in view; again: original order", { o: () => { view.busiest = !view.busiest; settle(); } }],
    ["l", "low or high rows", { l: () => { view.flat = !view.flat; settle(); } }],
    ["z Enter", "zoom to the measured range, or to the run at the cursor", { z: () => zoomTo(), Enter: () => zoomTo() }],
    ["Esc", "clear marks, close help", { Escape: () => { view.range = null; view.cursor = -1; help(false); draw(); } }],
    ["? h", "this", { "?": () => help(), h: () => help() }],
  ];
  const MOUSE = [["drag", selects ? "select" : "move"], ["shift and drag", selects ? "move" : "measure"], ["wheel", "rows; with ctrl: zoom; with shift: move"], ["two fingers", "zoom"], ["double click", "zoom to the run"]];
  const keyList = $("help").appendChild(make("dl"));
  for (const [key, what] of [...KEYS, ...MOUSE]) keyList.append(make("dt", {}, key), make("dd", {}, what));
  const actions = Object.assign({}, ...KEYS.map((k) => k[2]));
  document.addEventListener("keydown", (e) => {
    if (e.target === search) {
      if (e.key === "Escape") { search.value = ""; look(); canvas.focus(); }
      if (e.key === "Enter") { found(e.shiftKey ? -1 : 1); canvas.focus(); }
      return;
    }
    if (modified(e) || !actions[e.key] || (e.key === "Enter" && e.target !== canvas)) return;
    actions[e.key](e);
    e.preventDefault();
  });
  function help(on = $("help").hidden) {
    $("help").hidden = !on;
  }
  function zoomTo() {
    if (view.range) show(...view.range);
    else if (view.rows.length && view.cursor >= 0) zoomToRun(view.rows[view.selected], view.cursor);
    if (!selects) view.range = null;
  }
  function zoomToRun(row, t) {
    const id = row.spans[row.first(t)];
    if (id === undefined) return;
    const start = trace.start[id] - trace.wait[id], length = trace.end[id] - start;
    show(start - length * 0.2, trace.end[id] + length * 0.2);
  }

  // --- the mouse
  const place = (e) => placeIn(canvas, e);
  canvas.addEventListener("pointerdown", (e) => {
    const [x, y] = place(e);
    canvas.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, { x, t: picture.t(x) });
    const measures = x >= labels() && e.shiftKey !== selects;
    drag = { x, y, from: view.from, top: view.top, moved: false, measure: measures && picture.t(x) };
  });
  canvas.addEventListener("pointermove", (e) => {
    const [x, y] = place(e);
    if (!drag) return tell(x, y);
    if (fingers.has(e.pointerId)) fingers.get(e.pointerId).x = x;
    if (fingers.size === 2) return pinch();
    drag.moved = drag.moved || Math.abs(x - drag.x) + Math.abs(y - drag.y) > 3;
    if (!drag.moved) return;
    if (drag.measure !== false) return measure(drag.measure, picture.t(x));
    const from = drag.from - ((x - drag.x) * span()) / picture.width;
    show(from, from + span());
    scroll(drag.top - (y - drag.y));
  });
  function lift(e) {
    const many = fingers.size > 1;
    fingers.delete(e.pointerId);
    if (many) drag = null; // the other finger begins anew
    return many;
  }
  canvas.addEventListener("pointercancel", (e) => { lift(e); drag = null; });
  canvas.addEventListener("pointerup", (e) => {
    const [x, y] = place(e), row = rowAt(y);
    if (!lift(e) && drag && !drag.moved && row) {
      select(view.rows.indexOf(row));
      if (x >= labels()) put(picture.t(x));
      if (x >= labels() && selects) view.range = null;
      tell(x, y);
    }
    drag = null;
  });
  canvas.addEventListener("dblclick", (e) => {
    const [x, y] = place(e), row = rowAt(y);
    if (row && x >= labels()) zoomToRun(row, picture.t(x));
  });
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    if (e.ctrlKey || e.metaKey) zoom(Math.exp(clamp(e.deltaY, -200, 200) / 300), picture.t(place(e)[0]));
    else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan((e.deltaX || e.deltaY) / 1000);
    else scroll(view.top + e.deltaY);
  }, { passive: false });
  // Two fingers: the times below them stay below them.
  function pinch() {
    const [a, b] = [...fingers.values()], [from, to] = [Math.min(a.t, b.t), Math.max(a.t, b.t)];
    const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)].map((x) => x - labels());
    const scale = (to - from) / Math.max(20, right - left);
    show(from - left * scale, from + (picture.width - left) * scale);
  }
  function measure(a, b) {
    view.range = [Math.min(a, b), Math.max(a, b)];
    const [from, to] = view.range, row = view.rows[view.selected];
    say(said, joined(`${timeText(to - from)} measured from ${timeText(from)}`,
      row && `${row.name} ran ${timeText(row.ranBefore(to) - row.ranBefore(from))} of it`));
    draw();
  }
  function overviewTo(e) {
    if (!e.buttons) return;
    const t = ((placeIn(overview, e)[0] - labels()) / (overview.clientWidth - labels())) * trace.length;
    show(t - span() / 2, t + span() / 2);
  }
  overview.addEventListener("pointerdown", (e) => { overview.setPointerCapture(e.pointerId); overviewTo(e); });
  overview.addEventListener("pointermove", overviewTo);

  // --- a delay: what the recording was stopped by, or a row of the list
  function openAt(delay) {
    const [t, took] = [Number(delay.at), Number(delay.took)];
    if (view.byCpu) byCpu(false);
    const row = view.rows.findIndex((r) => r.name.startsWith(delay.pid + " "));
    if (row >= 0) select(row);
    show(Math.max(0, t - 3 * took), t + 2 * took);
    put(t);
  }
  const delays = $("delays");
  function openRow(row) {
    if (!row) return;
    for (const other of delays.querySelectorAll("tr.open")) other.classList.remove("open");
    row.classList.add("open");
    openAt(row.dataset);
  }
  if (delays) {
    delays.addEventListener("click", (e) => openRow(e.target.closest("tr[data-at]")));
    delays.addEventListener("keydown", (e) => {
      if (e.key === "Enter") openRow(e.target.closest("tr[data-at]"));
      else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
        const to = e.key === "ArrowDown" ? e.target.nextElementSibling : e.target.previousElementSibling;
        if (to) to.focus();
      } else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  // --- the page
  search.addEventListener("input", look);
  $("only").addEventListener("change", settle);
  $("rows").addEventListener("click", () => byCpu(!view.byCpu));
  $("all").addEventListener("click", () => show(0, trace.length));
  $("in").addEventListener("click", () => zoom(0.5));
  $("out").addEventListener("click", () => zoom(2));
  $("keys").addEventListener("click", () => help());
  onColours(() => { picture.colours(); draw(); });
  new ResizeObserver(settle).observe(canvas);
  picture.colours();
  if (!trace.taskRows.length) say(said, "nothing was recorded");
  settle();
  if (hit.pid) openAt(hit);
  canvas.focus();
  window.timeline = { trace, view, picture, put, show, look, measure, settle, rowAt }; // for those who type into the console
})();
