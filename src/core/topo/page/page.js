// A call graph: a column for each call depth, a line to each function from its first caller. The element #data has, as JSON,
// functions (name, total, local, calls, shortest, longest, first caller, place) and relations (caller, callee, calls, total).
(function () {
  "use strict";
  const { clamp, percent, counted, joined, make, say, onceAFrame, modified, placeIn, searched } = psuite;
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg", $ = (id) => document.getElementById(id);
  const drawing = $("drawing"), search = $("search"), range = $("limit"), allBox = $("all"), help = $("help");
  const LETTER = 7.25, SPACE = 6, GUTTER = 56, GAP = 4, LEAST = 18, NONE = -1;

  // --- the graph
  const functions = data.functions.map((f, id) => ({ id, name: f[0], total: f[1], local: f[2], calls: f[3], shortest: f[4], longest: f[5],
    parent: f[6], place: f[7], before: f[8] || null, callers: [], callees: [] }));
  for (const [caller, callee, calls, total] of data.relations) {
    functions[caller].callees.push({ id: callee, calls, total });
    functions[callee].callers.push({ id: caller, calls, total });
  }
  const longest = Math.max(1, ...functions.map((f) => f.total));
  const byTotal = functions.slice().sort((a, b) => b.total - a.total || a.id - b.id);

  // --- words
  function amount(n) {
    if (data.unit !== "ns") return n.toLocaleString("en") + " " + data.unit;
    const [size, unit] = n >= 1e9 ? [1e9, "s"] : n >= 1e6 ? [1e6, "ms"] : n >= 1e3 ? [1e3, "\u00b5s"] : [1, "ns"];
    return (size === 1 ? String(n) : (n / size).toPrecision(4)) + " " + unit;
  }
  const short = (name) => name.length > 40 ? name.slice(0, 28) + "\u2026" + name.slice(-11) : name;

  // --- what is shown: state is all that the address keeps
  const state = { limit: Math.min(150, functions.length), focus: NONE, selected: NONE, all: false, change: false, folded: new Set(), moved: new Map() };
  const steps = [];
  for (let n = 5; n < functions.length; n = n < 10 ? 10 : n < 50 ? n + 10 : n < 200 ? n + 50 : Math.ceil(n * 1.5 / 100) * 100) steps.push(n);
  steps.push(functions.length);

  function writeState() {
    const parts = [];
    if (state.limit !== Math.min(150, functions.length)) parts.push("limit=" + state.limit);
    if (state.focus !== NONE) parts.push("focus=" + state.focus);
    if (state.selected !== NONE) parts.push("selected=" + state.selected);
    if (state.all) parts.push("all=1");
    if (state.change) parts.push("change=1");
    if (state.folded.size) parts.push("folded=" + [...state.folded].join("."));
    if (state.moved.size) parts.push("moved=" + [...state.moved].map(([id, [x, y]]) => [id, Math.round(x), Math.round(y)].join(":")).join("."));
    const hash = parts.length ? "#" + parts.join("&") : "";
    if (hash !== location.hash) history.replaceState(null, "", hash || location.pathname + location.search);
  }
  function readState() {
    const said = new Map(location.hash.slice(1).split("&").map((p) => p.split("=")));
    const number = (text) => /^-?\d{1,9}$/.test(text || "") ? Number(text) : NONE;
    const known = (n) => n >= 0 && n < functions.length;
    const id = (name) => known(number(said.get(name))) ? number(said.get(name)) : NONE;
    state.limit = said.has("limit") ? clamp(number(said.get("limit")), 1, functions.length) : Math.min(150, functions.length);
    state.focus = id("focus");
    state.selected = id("selected");
    state.all = said.get("all") === "1";
    state.change = said.get("change") === "1" && !!data.compared;
    state.folded = new Set((said.get("folded") || "").split(".").map(number).filter(known));
    state.moved = new Map((said.get("moved") || "").split(".").map((m) => m.split(":").map(number)).filter(([f]) => known(f))
      .map(([f, x, y]) => [f, [x || 0, y || 0]]));
  }

  // The first caller of each function; below a focus, by distance from it.
  function parents() {
    if (state.focus === NONE) return functions.map((f) => f.parent);
    const parent = functions.map(() => undefined), queue = [state.focus];
    parent[state.focus] = NONE;
    for (const id of queue)
      for (const c of functions[id].callees)
        if (parent[c.id] === undefined) { parent[c.id] = id; queue.push(c.id); }
    return parent;
  }

  let nodes = new Map(), order = [], world = { width: 1, height: 1 };
  // The functions with most total time and those above them; what is folded counts at the one above.
  function choose() {
    const parent = parents(), shown = new Set();
    const hidden = (id) => { for (let p = parent[id]; p >= 0; p = parent[p]) if (state.folded.has(p)) return true; return false; };
    let left = state.limit;
    for (const f of byTotal) {
      if (parent[f.id] === undefined || hidden(f.id)) continue;
      const way = [];
      for (let id = f.id; id >= 0 && !shown.has(id); id = parent[id]) way.push(id);
      if (way.length > left) continue;
      left -= way.length;
      way.forEach((id) => shown.add(id));
    }
    nodes = new Map([...shown].map((id) => [id, { id, f: functions[id], parent: parent[id], children: [], more: 0, depth: 0 }]));
    for (const f of functions) {
      let id = f.id;
      if (parent[id] === undefined) continue;
      if (shown.has(id)) { if (parent[id] >= 0) nodes.get(parent[id]).children.push(nodes.get(id)); continue; }
      while (id >= 0 && !shown.has(id)) id = parent[id];
      if (id >= 0) nodes.get(id).more++;
    }
  }

  // --- where: each function in the middle of its callees, each with a band of its own
  function place() {
    const roots = [...nodes.values()].filter((n) => n.parent < 0), columns = [];
    const inOrder = (list) => list.sort((a, b) => a.f.place - b.f.place || a.id - b.id);
    order = [];
    const walk = inOrder(roots).slice().reverse();
    while (walk.length) {
      const n = walk.pop();
      order.push(n);
      for (const c of inOrder(n.children)) c.depth = n.depth + 1;
      walk.push(...n.children.slice().reverse());
    }
    for (const n of order) {
      n.diameter = Math.max(1, Math.floor(100 / (n.depth + 1)));
      n.label = short(n.f.name) + (n.more ? " +" + n.more : "");
      const column = columns[n.depth] ||= { diameter: 0, label: 0 };
      column.diameter = Math.max(column.diameter, n.diameter);
      column.label = Math.max(column.label, n.label.length * LETTER);
    }
    let x = 0;
    for (const c of columns) { c.start = x; c.end = x + c.diameter + SPACE + c.label + SPACE; x = c.end + GUTTER; }
    for (let i = order.length - 1; i >= 0; i--) {
      const n = order[i];
      n.own = Math.max(n.diameter, LEAST) + GAP;
      n.below = n.children.reduce((sum, c) => sum + c.band, 0);
      n.band = Math.max(n.own, n.below);
    }
    let top = 0;
    for (const n of roots) { n.top = top; top += n.band; }
    for (const n of order) {
      let at = n.top + (n.band - n.below) / 2;
      for (const c of n.children) { c.top = at; at += c.band; }
      n.column = columns[n.depth];
      n.y = n.top + n.band / 2;
      n.x = n.column.start + n.column.diameter / 2;
    }
    for (const n of order) {
      const [dx, dy] = state.moved.get(n.id) || [0, 0];
      n.x += dx;
      n.y += dy;
      n.textX = n.x + n.diameter / 2 + SPACE;
      n.endX = n.textX + n.label.length * LETTER + 2;
      n.outX = Math.max(n.endX, n.column.end + dx);
    }
    world = { width: columns.length ? columns[columns.length - 1].end : 1, height: top || 1 };
  }

  // --- colours
  const mix = (stops, at) => {
    const i = at < 0.5 ? 0 : 1, share = at < 0.5 ? 2 * at : 2 * at - 1;
    return "rgb(" + stops[i].map((v, k) => Math.round(v + share * (stops[i + 1][k] - v))).join() + ")";
  };
  const GRADIENT = [[46, 160, 67], [212, 167, 20], [215, 58, 73]];
  // Of a comparison: green is less time than before, red more; half or twice is the whole colour.
  function colourOf(f) {
    if (!state.change) return mix(GRADIENT, f.total / longest);
    const before = f.before ? f.before[0] : 0;
    if (!before) return mix(GRADIENT, 1);
    return mix(GRADIENT, clamp(0.5 + Math.log2(Math.max(f.total, 1) / before) / 2, 0, 1));
  }
  const alphaOf = (f) => f.total ? f.local / f.total : 1;

  // --- drawing
  const scene = make("g", {}, "", SVG), lines = make("g", {}, "", SVG), circles = make("g", {}, "", SVG);
  scene.append(lines, circles);
  drawing.append(scene);
  const view = { x: 0, y: 0, scale: 1 };

  function curve(from, fromX, to, toX) {
    const middle = (fromX + toX) / 2;
    return `C${middle} ${from} ${middle} ${to} ${toX} ${to}`;
  }
  // From the end of a name to a circle, between the columns; backwards and within a column around the names.
  function way(a, b) {
    const toX = b.x - b.diameter / 2;
    if (b.depth > a.depth) return `M${a.endX} ${a.y}H${a.outX}` + curve(a.y, a.outX, b.y, toX);
    const out = Math.max(a.outX, b.outX) + GUTTER / 2;
    if (b.depth === a.depth) return `M${a.endX} ${a.y}H${a.outX}C${out} ${a.y} ${out} ${b.y} ${b.outX} ${b.y}H${b.endX}`;
    return `M${a.x - a.diameter / 2} ${a.y}` + curve(a.y, a.x - a.diameter / 2, b.y, b.outX) + `H${b.endX}`;
  }
  function addLine(a, b, kind) {
    const near = state.selected === a.id || state.selected === b.id;
    lines.append(make("path", { class: joined(kind, near && "near").replace("; ", " "), d: way(a, b) }, "", SVG));
  }
  let matches = null;
  function addNode(n) {
    const kind = ["node", n.id === state.selected && "selected", matches && matches(n.f.name) && "found"].filter(Boolean).join(" ");
    const g = make("g", { class: kind, "data-id": n.id }, "", SVG), fill = colourOf(n.f);
    // Other relations pass behind names, which have a plate.
    g.append(make("rect", { class: "plate", x: n.textX - 2, y: n.y - 8, width: n.label.length * LETTER + 4, height: 16, "fill-opacity": 0.9 }, "", SVG));
    g.append(make("circle", { cx: n.x, cy: n.y, r: n.diameter / 2, fill, stroke: fill, "fill-opacity": alphaOf(n.f) }, "", SVG));
    const text = make("text", { x: n.textX, y: n.y + 4 }, short(n.f.name), SVG);
    if (n.more) text.append(make("tspan", { class: "folded" }, " +" + n.more, SVG));
    g.append(text);
    circles.append(g);
  }
  function draw() {
    lines.replaceChildren();
    circles.replaceChildren();
    for (const n of order) if (n.parent >= 0) addLine(nodes.get(n.parent), n, "");
    for (const n of order)
      for (const c of n.f.callees) {
        const to = nodes.get(c.id), near = state.selected === n.id || state.selected === c.id;
        if (to && to !== n && to.parent !== n.id && (state.all || near)) addLine(n, to, "other");
      }
    for (const n of order) addNode(n);
    move();
  }
  function move() { scene.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`); }
  const redraw = onceAFrame(draw);
  const remember = onceAFrame(writeState);
  function update() {
    choose();
    place();
    redraw();
    remember();
    controls();
    details();
  }

  // --- view
  const size = () => drawing.getBoundingClientRect();
  function zoom(by, x, y) {
    const scale = clamp(view.scale * by, 0.02, 8), real = scale / view.scale;
    view.x = x - (x - view.x) * real;
    view.y = y - (y - view.y) * real;
    view.scale = scale;
    move();
  }
  function zoomMiddle(by) { const box = size(); zoom(by, box.width / 2, box.height / 2); }
  // A graph that is too high: the root with most total time is in the middle.
  function show(scale) {
    const box = size(), roots = order.filter((n) => n.parent < 0).sort((a, b) => b.f.total - a.f.total);
    view.scale = scale;
    view.x = Math.max(12, (box.width - world.width * scale) / 2);
    view.y = world.height * scale < box.height ? (box.height - world.height * scale) / 2 : box.height / 2 - (roots.length ? roots[0].y : 0) * scale;
    move();
  }
  function fit() {
    const box = size();
    show(Math.min(1, (box.width - 24) / world.width, (box.height - 16) / world.height));
    view.y = (box.height - world.height * view.scale) / 2;
    move();
  }
  // At first names can be read.
  function begin() { const box = size(); show(clamp(Math.min((box.width - 24) / world.width, (box.height - 16) / world.height), 0.75, 1)); }
  function reveal(n) {
    const box = size(), x = n.x * view.scale + view.x, y = n.y * view.scale + view.y, end = n.endX * view.scale + view.x;
    if (x < 20) view.x += 20 - x + box.width / 8;
    else if (end > box.width - 10) view.x -= Math.min(end - box.width + 10 + box.width / 8, x - 20);
    if (y < 20 || y > box.height - 20) view.y += box.height / 2 - y;
    move();
  }

  // --- the selected function
  function select(id, seen) {
    state.selected = id;
    if (id !== NONE && !nodes.has(id)) uncover(id);
    update();
    if (id !== NONE && nodes.has(id) && !seen) reveal(nodes.get(id));
  }
  // Of a function that is not drawn: unfolds what is above it, or draws as many as needed.
  function uncover(id) {
    const parent = parents();
    if (parent[id] === undefined) state.focus = NONE;
    const above = parents();
    for (let p = above[id]; p >= 0; p = above[p]) state.folded.delete(p);
    choose();
    for (const n of steps) {
      if (nodes.has(id)) break;
      if (n <= state.limit) continue;
      state.limit = n;
      choose();
    }
  }
  function toggleFold(id) {
    if (id === NONE) return;
    if (!state.folded.delete(id)) state.folded.add(id);
    update();
  }
  function focusOn(id) {
    state.focus = id;
    update();
    begin();
  }

  function row(table, name, value, kind) {
    const tr = make("tr", {});
    tr.append(make("th", { scope: "row" }, name), make("td", kind ? { class: kind } : {}, value));
    table.append(tr);
  }
  function change(table, name, now, before, show_) {
    const by = before ? (now - before) / before : 0, sign = by > 0 ? "+" : "";
    row(table, name + " before", show_(before));
    row(table, name + " change", before ? sign + percent(by, 1) : "new", now > before ? "more" : now < before ? "less" : "");
  }
  function others(aside, title, list) {
    if (!list.length) return;
    const table = make("table", {});
    aside.append(make("h3", {}, title), table);
    for (const r of list.slice().sort((a, b) => b.total - a.total || functions[a.id].total - functions[b.id].total || a.id - b.id)) {
      const tr = make("tr", {}), name = make("td", { class: "name" }), button = make("button", {}, functions[r.id].name);
      button.onclick = () => select(r.id);
      name.append(button);
      tr.append(name, make("td", {}, r.total ? amount(r.total) : ""), make("td", {}, r.calls ? String(r.calls) : ""));
      table.append(tr);
    }
  }
  function details() {
    const aside = $("details"), f = functions[state.selected];
    aside.hidden = !f;
    aside.replaceChildren();
    if (!f) return say($("said"), "");
    const table = make("table", {}), tools = make("div", { class: "tools" });
    aside.append(make("h2", {}, f.name), tools, table);
    const focus = make("button", {}, state.focus === f.id ? "Whole graph" : "Focus"), fold = make("button", {}, state.folded.has(f.id) ? "Unfold" : "Fold");
    const close = make("button", { "aria-label": "Close the details" }, "Close");
    focus.onclick = () => focusOn(state.focus === f.id ? NONE : f.id);
    fold.onclick = () => toggleFold(f.id);
    close.onclick = () => { select(NONE); drawing.focus(); };
    tools.append(focus, fold, close);
    if (f.calls) row(table, "Calls", f.calls.toLocaleString("en"));
    row(table, "Total", amount(f.total));
    row(table, "Local", amount(f.local) + " (" + percent(alphaOf(f), 1) + ")");
    if (f.calls && f.longest) {
      row(table, "Minimum", amount(f.shortest));
      row(table, "Mean", amount(Math.round(f.total / f.calls)));
      row(table, "Maximum", amount(f.longest));
    }
    if (data.compared) {
      change(table, "Total", f.total, f.before ? f.before[0] : 0, amount);
      change(table, "Local", f.local, f.before ? f.before[1] : 0, amount);
      if (f.calls) change(table, "Calls", f.calls, f.before ? f.before[2] : 0, (n) => n.toLocaleString("en"));
    }
    others(aside, counted(f.callers.length, "caller"), f.callers);
    others(aside, counted(f.callees.length, "callee"), f.callees);
    say($("said"), joined(f.name, "total " + amount(f.total), "local " + amount(f.local), f.calls && counted(f.calls, "call")));
  }

  // --- controls
  function controls() {
    const drawn = order.reduce((least, n) => Math.min(least, n.f.total), Infinity);
    range.max = steps.length - 1;
    range.value = steps.findIndex((n) => n >= state.limit);
    say($("limited"), order.length + " of " + functions.length + (isFinite(drawn) && order.length < functions.length ? ", from " + percent(drawn / longest) : ""));
    allBox.checked = state.all;
    if ($("change")) $("change").checked = state.change;
    $("whole").hidden = state.focus === NONE;
    $("reset").hidden = !state.moved.size;
  }
  range.oninput = () => { state.limit = steps[range.value]; update(); };
  allBox.onchange = () => { state.all = allBox.checked; update(); };
  if ($("change")) $("change").onchange = () => { state.change = $("change").checked; update(); };
  $("in").onclick = () => zoomMiddle(1.5);
  $("out").onclick = () => zoomMiddle(1 / 1.5);
  $("fit").onclick = fit;
  $("whole").onclick = () => focusOn(NONE);
  $("reset").onclick = () => { state.moved.clear(); update(); };
  $("keys").onclick = () => { help.hidden = !help.hidden; };

  function find() {
    matches = searched(search);
    say($("matched"), matches ? counted(functions.filter((f) => matches(f.name)).length, "function") : "");
    redraw();
  }
  function next(by) {
    const found = matches ? functions.filter((f) => matches(f.name)).map((f) => f.id) : [];
    if (!found.length) return;
    const at = found.indexOf(state.selected);
    select(found[at < 0 ? 0 : (at + by + found.length) % found.length]);
  }
  search.oninput = find;
  search.onkeydown = (e) => {
    if (e.key === "Enter") next(e.shiftKey ? -1 : 1);
    else if (e.key === "Escape") { search.value = ""; find(); drawing.focus(); } else return;
    e.preventDefault();
  };

  // --- keys
  const KEYS = [["\u2190 \u2192", "to the caller, to the first callee"], ["\u2191 \u2193", "to the next function of the column"],
    ["Shift + arrows", "pan"], ["Ctrl + arrows", "move the function"], ["+ -", "zoom"], ["0", "fit the whole graph"], ["Enter", "focus on the function, or the whole graph"],
    ["Space", "fold or unfold"], ["a", "all relations"], ["[ ]", "fewer or more functions"], ["r", "functions back to their places"], ["/ n N", "search, next, previous"],
    ["Esc", "close, deselect"], ["?", "these keys"]];
  const list = make("dl", {});
  for (const [key, what] of KEYS) list.append(make("dt", {}, key), make("dd", {}, what));
  help.append(list);

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function step([dx, dy]) {
    const n = nodes.get(state.selected);
    if (!n) return order.length && select(order[0].id);
    if (dx < 0 && n.parent >= 0) return select(n.parent);
    if (dx > 0 && n.children.length) return select(n.children[Math.floor((n.children.length - 1) / 2)].id);
    if (!dy) return;
    const column = order.filter((m) => m.depth === n.depth).sort((a, b) => a.y - b.y), to = column[column.indexOf(n) + dy];
    if (to) select(to.id);
  }
  function arrow(e) {
    const by = ARROWS[e.key];
    if (e.ctrlKey) {
      if (state.selected !== NONE) shift(state.selected, 10 * by[0], 10 * by[1]);
    } else if (e.shiftKey) {
      view.x -= 60 * by[0];
      view.y -= 60 * by[1];
      move();
    } else step(by);
  }
  function shift(id, dx, dy) {
    const [x, y] = state.moved.get(id) || [0, 0];
    state.moved.set(id, [x + dx, y + dy]);
    update();
  }
  const ACTIONS = {
    "+": () => zoomMiddle(1.5), "=": () => zoomMiddle(1.5), "-": () => zoomMiddle(1 / 1.5), 0: fit,
    Enter: () => focusOn(state.focus === state.selected ? NONE : state.selected),
    " ": () => toggleFold(state.selected),
    a: () => { state.all = !state.all; update(); },
    "[": () => { state.limit = steps[Math.max(0, Number(range.value) - 1)]; update(); },
    "]": () => { state.limit = steps[Math.min(steps.length - 1, Number(range.value) + 1)]; update(); },
    r: () => { state.moved.clear(); update(); },
    "/": () => search.focus(), n: () => next(1), N: () => next(-1), "?": () => { help.hidden = !help.hidden; },
    Escape: () => { if (help.hidden) select(NONE); else help.hidden = true; },
  };
  drawing.addEventListener("keydown", (e) => {
    const isArrow = e.key in ARROWS;
    if (!isArrow && (modified(e) || !(e.key in ACTIONS))) return;
    if (isArrow) arrow(e);
    else ACTIONS[e.key]();
    e.preventDefault();
  });

  // --- pointer: one pans, or drags a function; two pinch
  const pointers = new Map();
  let drag = null;
  const idAt = (e) => { const g = e.target.closest && e.target.closest("g.node"); return g ? Number(g.dataset.id) : NONE; };
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { far: Math.hypot(a[0] - b[0], a[1] - b[1]) || 1, x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 };
  };
  drawing.addEventListener("pointerdown", (e) => {
    if (e.button > 0) return;
    pointers.set(e.pointerId, placeIn(drawing, e));
    drag = pointers.size === 1 ? { id: idAt(e), from: placeIn(drawing, e), moved: false } : null;
    drawing.setPointerCapture(e.pointerId);
    drawing.focus({ preventScroll: true });
  });
  drawing.addEventListener("pointermove", (e) => {
    if (!pointers.has(e.pointerId)) return;
    const before = pointers.get(e.pointerId), now = placeIn(drawing, e), old = pointers.size === 2 ? spread() : null;
    if (drag && !drag.moved && Math.hypot(now[0] - drag.from[0], now[1] - drag.from[1]) < 4) return;
    pointers.set(e.pointerId, now);
    if (old) {
      const s = spread();
      view.x += s.x - old.x;
      view.y += s.y - old.y;
      zoom(s.far / old.far, s.x, s.y);
    } else if (drag) {
      drag.moved = true;
      if (drag.id !== NONE) return shift(drag.id, (now[0] - before[0]) / view.scale, (now[1] - before[1]) / view.scale);
      view.x += now[0] - before[0];
      view.y += now[1] - before[1];
      move();
    }
  });
  function release(e) {
    pointers.delete(e.pointerId);
    if (drag && !drag.moved && e.type === "pointerup") select(drag.id, true);
    drag = null;
  }
  drawing.addEventListener("pointerup", release);
  drawing.addEventListener("pointercancel", release);
  // A dblclick event needs elements that stay, and these are replaced after the first click.
  drawing.addEventListener("mousedown", (e) => { if (e.detail === 2 && idAt(e) !== NONE) focusOn(idAt(e)); });
  drawing.addEventListener("wheel", (e) => {
    e.preventDefault();
    zoom(Math.exp(-clamp(e.deltaY * (e.deltaMode ? 16 : 1), -200, 200) / 400), ...placeIn(drawing, e));
  }, { passive: false });

  window.addEventListener("hashchange", () => { readState(); update(); });
  readState();
  update();
  draw();
  begin();
  if (nodes.has(state.selected)) reveal(nodes.get(state.selected));
  window.topo = { functions, state, view, nodes: () => nodes, update, select };
})();
