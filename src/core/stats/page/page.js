// stats in a browser. The page shows what /events sends: a JSON line a sample (core/stats/sample.h).
(function () {
  "use strict";
  const { clamp, oneTwoFive, percent, rounded, counted, make, say, onceAFrame, fitCanvas, colour, onColours, modified, placeIn } = psuite;
  const $ = (id) => document.getElementById(id);
  const about = JSON.parse($("about").textContent); // {"graphs":{NAME:WHAT},"log":BOOL,"scale":S}
  const KEPT = 900, PARTS = 16, RANGES = [60, 300, 900], TIMES = oneTwoFive(0.1, 1000);
  const HUES = {
    load: "tasks", idle: "tasks", context: "calls", syscall: "calls", intr: "intr", inintr: "intr", mem: "memory", swap: "memory",
    fault: "memory", ether: "net", etherin: "net", etherout: "net", ethererr: "net", "802.11b": "net", tlbmiss: "tlb", tlbpurge: "tlb",
    temp: "board", battery: "board", cpu: "tasks", user: "tasks", system: "tasks", iowait: "tasks", irq: "intr", steal: "tasks",
    diskread: "disk", diskwrite: "disk", diskops: "disk", diskbusy: "disk", netin: "net", netout: "net", avail: "memory",
    programs: "memory", cached: "memory", kernel: "memory", free: "memory", cpupsi: "calls", mempsi: "calls", memfull: "calls",
    iopsi: "calls", iofull: "calls",
  };

  // --- what is remembered ---
  const samples = []; // oldest first: {time, interval, by: {SOURCE: {cpus, age, why, graphs: {NAME: graph}}}}
  let sources = [], graphs = []; // names, in the order of the newest sample
  const machines = new Map(); // SOURCE: {section, cards: {NAME: card}}
  let run = "", place = -1; // of the last event
  let opened = false, heard = 0, lost = 0; // heard: when the last sample came, by our own clock
  let paused = null, back = null; // the sample at which we stopped; the sample that is looked at
  const look = { log: about.log, fit: about.fit, range: 0, times: 1, hidden: [] }; // range in samples, 0: what is there

  const kept = (() => {
    try { return window.localStorage; } catch (e) { return null; }
  })();
  try { Object.assign(look, JSON.parse((kept && kept.getItem("psuite-stats")) || "{}")); } catch (e) { /* as it was */ }
  const keep = () => { try { kept.setItem("psuite-stats", JSON.stringify(look)); } catch (e) { /* private window */ } };

  // --- words ---
  const span = (s) => s < 60 || (s < 90 && s % 60) ? Math.round(s) + " s" : s < 5400 ? Math.round(s / 60) + " min" : (s / 3600).toFixed(1) + " h";
  const clock = (t) => new Date(t * 1000).toLocaleTimeString([], { hour12: false });
  // The CPUs, disks or interfaces of a graph: as "cpu0 12%, cpu1 3%", in the unit of its text.
  const unitOf = (g) => (g.text || "").replace(/^-?[\d.]+[kMGTPE]?/, "");
  const partsText = (g) => Object.entries((g && g.parts) || {})
    .map(([name, v]) => (/^\d/.test(name) ? "cpu" : "") + name + " " + rounded(v) + unitOf(g)).join(", ");
  const reading = (g) => !g || g.value === null || g.value === undefined ? "\u2013" : g.text || rounded(g.value);

  // --- heights ---
  const height = (v, full) => {
    if (!look.log) return v / full;
    return v > 0 ? (Math.log10(v / full) + 2) / 3 : 0;
  };
  const rules = () => look.log ? [1 / 3, 2 / 3] : [0.25, 0.5, 0.75];

  // --- samples ---
  const now = () => paused || samples[samples.length - 1];
  const shown = () => back || now();
  const range = () => look.range || (samples.length > RANGES[0] ? RANGES[1] : RANGES[0]);
  const reach = () => range() * (samples.length ? now().interval : 1); // seconds that are shown
  const visible = (s) => samples.length && s.time > now().time - reach() && s.time <= now().time;
  const fullOf = (g) => (look.fit && fitted(g)) || g.full * about.scale * look.times;

  // The smallest full scale of 1, 2 or 5 times a power of ten for what all machines show; not of percentages.
  let fits = {}; // GRAPH: full scale, until the next drawing
  function fitted(g) {
    if (g.unit === "%") return 0;
    if (!(g.graph in fits)) {
      const values = samples.filter(visible).flatMap((s) => sources.map((source) => graphOf(s, source, g.graph)));
      const most = Math.max(0, ...values.map((of) => (of && of.value) || 0)), power = 10 ** Math.floor(Math.log10(most));
      fits[g.graph] = most > 0 ? power * [1, 2, 5, 10].find((n) => most <= n * power * 1.000001) : 0;
    }
    return fits[g.graph];
  }
  const graphOf = (sample, source, name) => sample && sample.by[source] && sample.by[source].graphs[name];

  function take(line) {
    const sample = { time: line.time, interval: line.interval || 1, by: {} };
    for (const s of line.sources) {
      const m = { cpus: s.cpus, age: s.age_ms / 1000, why: s.why, health: s.health, known: s.health_known, graphs: {},
        processes: s.processes, processesRead: s.processes_read, processesSpan: s.processes_span_s };
      for (const g of s.graphs) m.graphs[g.graph] = g;
      sample.by[s.source] = m;
    }
    const last = samples[samples.length - 1];
    if (last && sample.time < last.time - 2 * sample.interval) samples.length = 0; // the machine's clock was set back
    else if (last) sample.time = Math.max(sample.time, last.time + 0.001);
    samples.push(sample);
    if (samples.length > KEPT) samples.shift();
    sources = line.sources.map((s) => s.source);
    graphs = [];
    for (const s of line.sources)
      for (const g of s.graphs) if (!graphs.includes(g.graph)) graphs.push(g.graph);
    heard = Date.now();
  }

  // --- the stream ---
  let stream, waits = 1000, later;
  function open() {
    clearTimeout(later);
    if (stream) stream.close();
    stream = new EventSource("/events");
    stream.onopen = () => { opened = true; waits = 1000; heard = Date.now(); };
    stream.onerror = () => {
      opened = false;
      if (stream.readyState === EventSource.CLOSED) { // a 503, or no server: the browser has given up
        later = setTimeout(open, waits);
        waits = Math.min(waits * 2, 10000);
      }
      show();
    };
    stream.addEventListener("lost", (e) => { lost += JSON.parse(e.data).lost; });
    stream.onmessage = (e) => {
      const [who, where] = e.lastEventId.split("-");
      if (who !== run) samples.length = 0;
      else if (parseInt(where, 16) <= place) return; // we have it
      [run, place] = [who, parseInt(where, 16)];
      take(JSON.parse(e.data));
      show();
    };
  }

  // --- building ---
  function makeCard(source, name) {
    const figure = make("figure", { class: "card", tabindex: 0, role: "group", "aria-roledescription": "graph" });
    const card = { figure, source, name };
    figure.style.setProperty("--hue", `var(--${HUES[name] || "tasks"})`);
    const top = make("div", { class: "top" }), what = make("p", { class: "what" }), axis = make("p", { class: "axis", "aria-hidden": "true" });
    card.value = make("output", { "aria-live": "off" });
    top.append(make("h3", {}, name), card.value);
    card.full = make("span", { class: "full" });
    what.append(make("span", { class: "text" }, about.graphs[name] || ""), card.full);
    card.plot = make("div", { class: "plot" });
    card.canvas = make("canvas", { "aria-hidden": "true" });
    card.over = make("span", { class: "over" });
    card.why = make("p", { class: "why" });
    card.plot.append(card.canvas, card.over, card.why);
    card.from = make("span");
    card.to = make("span");
    card.at = make("span", { class: "at" });
    axis.append(card.from, card.to, card.at);
    card.parts = make("p", { class: "parts" });
    figure.append(top, what, card.parts, card.plot, axis);
    card.plot.addEventListener("pointermove", (e) => point(card, e));
    card.plot.addEventListener("pointerdown", (e) => point(card, e));
    card.plot.addEventListener("pointerleave", () => lookAt(null));
    figure.addEventListener("keydown", (e) => cardKey(card, e));
    resized.observe(card.plot);
    figure.card = card;
    return card;
  }

  function makeMachine(source) {
    const section = make("section", { "aria-label": source }), title = make("h2");
    const m = { section, cards: {}, cpus: make("small"), late: make("small", { class: "late" }), health: make("small"), list: make("div", { class: "cards" }) };
    title.append(make("span", {}, source), m.cpus, m.health, m.late);
    section.append(title, m.list);
    machines.set(source, m);
    return m;
  }

  // No machine has had a value of it in any sample.
  const isDead = (name) => samples.every((s) => sources.every((source) => {
    const g = graphOf(s, source, name);
    return !g || g.value === null || g.value === undefined;
  }));

  // The page has a section a machine and a card a graph, in the order of the newest sample; dead ones are last.
  function arrange() {
    const main = $("machines"), chosen = graphs.filter((g) => !look.hidden.includes(g));
    const dead = chosen.filter(isDead), wanted = [...chosen.filter((g) => !dead.includes(g)), ...dead];
    const names = wanted.length ? wanted : graphs.slice(0, 1);
    for (const [source, m] of machines) if (!sources.includes(source)) { m.section.remove(); machines.delete(source); }
    sources.forEach((source, i) => {
      const m = machines.get(source) || makeMachine(source);
      if (main.children[i] !== m.section) main.insertBefore(m.section, main.children[i] || null);
      names.forEach((name, k) => {
        const card = m.cards[name] || (m.cards[name] = makeCard(source, name));
        if (m.list.children[k] !== card.figure) m.list.insertBefore(card.figure, m.list.children[k] || null);
      });
      while (m.list.children.length > names.length) m.list.lastChild.remove();
    });
    main.className = sources.length > 1 ? "several" : "";
    $("empty").hidden = samples.length > 0;
    arrangeMenu();
  }

  function arrangeMenu() {
    const choice = $("choice");
    const have = [...choice.querySelectorAll("input")].map((i) => i.name).join();
    if (have !== graphs.join()) {
      choice.querySelectorAll("label").forEach((l) => l.remove());
      for (const name of graphs) {
        const label = make("label"), box = make("input", { type: "checkbox", name });
        box.onchange = () => choose(name, box.checked);
        label.append(box, make("span", {}, name), make("small", {}, about.graphs[name] || ""));
        choice.append(label);
      }
    }
    const boxes = [...choice.querySelectorAll("input")], visible = graphs.filter((g) => !look.hidden.includes(g));
    for (const box of boxes) {
      box.checked = visible.includes(box.name);
      box.disabled = visible.length === 1 && box.checked; // the last one cannot be dropped
    }
  }

  function choose(name, on) {
    look.hidden = look.hidden.filter((g) => g !== name);
    if (!on) look.hidden.push(name);
    keep();
    show();
  }

  // --- drawing ---
  const resized = new ResizeObserver(() => show());
  const show = onceAFrame(draw);

  function draw() {
    fits = {};
    arrange();
    drawState();
    for (const [source, m] of machines) {
      drawMachine(source, m);
      for (const figure of m.list.children) drawCard(figure.card);
    }
  }

  function drawState() {
    const quiet = (Date.now() - heard) / 1000, sample = samples[samples.length - 1];
    const silent = sample && quiet > Math.max(5, 3 * sample.interval);
    let kind = "live", text = sample ? "live, " + clock(sample.time) : "waiting for the first sample";
    if (!opened) [kind, text] = heard ? ["away", "reconnecting, last sample " + span(quiet) + " ago"] : ["connecting", "connecting"];
    else if (silent) [kind, text] = ["away", "no sample for " + span(quiet)];
    else if (paused) [kind, text] = ["paused", "paused at " + clock(paused.time)];
    if (lost && kind === "live") text += ", " + counted(lost, "sample") + " missed";
    $("state").className = kind;
    // A screen reader is told of changes, not of every second.
    $("said").setAttribute("aria-live", kind === "live" && text.startsWith($("said").textContent.slice(0, 4)) ? "off" : "polite");
    say($("said"), text);
    document.title = (sources.length === 1 ? sources[0] + " " : "") + "stats" + (kind === "away" ? " (away)" : "");
    if (sources.length === 1) say($("title"), "stats");
    $("pause").setAttribute("aria-pressed", String(!!paused));
    say($("pause"), paused ? "Resume" : "Pause");
    $("log").setAttribute("aria-pressed", String(look.log));
    $("fit").setAttribute("aria-pressed", String(look.fit));
    say($("scale"), "\u00d7" + rounded(look.times));
    $("scale").setAttribute("aria-label", "full scale times " + look.times);
    say($("range"), span(reach()));
    $("range").setAttribute("aria-label", "time shown: " + span(reach()));
  }

  function drawMachine(source, m) {
    const sample = shown(), at = sample && sample.by[source];
    const late = at && at.age > Math.max(2, 2 * sample.interval);
    say(m.cpus, at && at.cpus ? counted(at.cpus, "cpu") : "");
    say(m.late, late ? "no answer for " + span(at.age) + (at.why ? ": " + at.why : "") : "");
    m.section.classList.toggle("late", !!late);
    drawHealth(m, at);
    drawProcesses(m, at);
  }

  // Of machines that were asked for them.
  function drawProcesses(m, at) {
    if (!m.table && at && at.processes) m.list.before((m.table = processTable.makeTable()).card);
    if (m.table) processTable.drawTable(m.table, at);
  }

  // What stats --once says of it.
  function drawHealth(m, at) {
    const beyond = (at && at.health) || [], known = at && at.known;
    m.health.hidden = !known;
    m.health.className = beyond.length ? "unwell" : "well";
    say(m.health, known ? (beyond.length ? "not well: " + beyond.join(", ") : (known < 10 ? "well as far as is known: " : "well: ") + known + " of 10 checks") : "");
  }

  // Runs of points without a gap; a gap is where a value is absent, or samples were lost.
  function runsOf(card, x, part) {
    const runs = [];
    let points = null, before = null;
    for (const s of samples) {
      const g = graphOf(s, card.source, card.name);
      const v = part && g ? (g.parts || {})[part] : g && g.value;
      if (paused && s.time > paused.time) break;
      if (v === null || v === undefined || !(g.full > 0)) points = null;
      else {
        if (!points || s.time - before > 2.5 * s.interval) runs.push(points = []);
        points.push([x(s.time), height(v, fullOf(g))]);
      }
      before = s.time;
    }
    return runs;
  }

  function drawCard(card) {
    const sample = shown(), g = graphOf(sample, card.source, card.name);
    const absent = !g || g.value === null || g.value === undefined;
    const over = !absent && g.full > 0 ? height(g.value, fullOf(g)) : 0;
    say(card.value, reading(g));
    say(card.full, fullText(g, absent));
    say(card.parts, absent ? "" : partsText(g));
    card.parts.title = card.parts.textContent;
    card.over.hidden = !(over > 1);
    if (over > 1) say(card.over, rounded(+(g.value / fullOf(g)).toPrecision(2)) + " \u00d7 full");
    card.why.hidden = !absent;
    say(card.why, absent ? (g ? g.why || "not available" : "not in this sample") : "");
    card.figure.classList.toggle("absent", absent);
    card.figure.classList.toggle("back", !!back);
    say(card.from, "\u2212" + span(reach()));
    say(card.to, paused ? clock(paused.time) : "now");
    card.figure.setAttribute("aria-label", describe(card, g, absent));
    paint(card, absent);
  }

  // Of rates the full scale, in the unit of their values; of others how much of it there is.
  function fullText(g, absent) {
    if (!g || !(g.full > 0) || g.unit === "%") return "";
    if (g.unit.endsWith("/s")) return "full " + rounded(fullOf(g));
    return absent || g.value > fullOf(g) ? "" : percent(g.value / fullOf(g), 0) + " of full";
  }

  function describe(card, g, absent) {
    const what = about.graphs[card.name], who = sources.length > 1 ? card.source + ", " : "";
    const value = absent ? "absent: " + ((g && g.why) || "not in this sample") : reading(g);
    const each = absent || !g.parts ? "" : ", " + partsText(g);
    const share = !absent && g.full > 0 ? ", " + percent(g.value / fullOf(g), 0) + " of full scale" : "";
    return who + card.name + (what ? ", " + what : "") + ": " + value + share + each;
  }

  onColours(show);

  function paint(card, absent) {
    const w = card.plot.clientWidth, h = card.plot.clientHeight, end = now();
    if (!w || !end) return;
    const c = card.canvas.getContext("2d");
    fitCanvas(c, w, h);
    c.clearRect(0, 0, w, h);
    const x = (t) => w - 1 - ((end.time - t) / reach()) * (w - 1);
    const y = (share) => h - 1 - clamp(share, 0, 1) * (h - 3);
    if (absent) hatch(c, w, h);
    paintRules(c, w, h, y);
    c.save();
    c.beginPath();
    c.rect(0, 0, w, h);
    c.clip();
    const hue = colour(HUES[card.name] || "tasks"), parts = Object.keys((graphOf(end, card.source, card.name) || {}).parts || {});
    for (const points of runsOf(card, x)) paintRun(c, points, y, h, hue);
    if (parts.length > 1 && parts.length <= PARTS)
      for (const part of parts) for (const points of runsOf(card, x, part)) paintPart(c, points, y, hue);
    c.restore();
    if (back) paintBack(c, x(back.time), h);
    placeTime(card, back && x(back.time), w);
  }

  function hatch(c, w, h) {
    c.strokeStyle = colour("hatch");
    c.lineWidth = 1;
    c.beginPath();
    for (let at = -h; at < w; at += 7) { c.moveTo(at, h); c.lineTo(at + h, 0); }
    c.stroke();
  }

  function paintRules(c, w, h, y) {
    c.strokeStyle = colour("rule");
    c.lineWidth = 1;
    c.beginPath();
    for (const share of rules()) { const at = Math.round(y(share)) + 0.5; c.moveTo(0, at); c.lineTo(w, at); }
    c.stroke();
    c.strokeStyle = colour("line");
    c.beginPath();
    c.moveTo(0, h - 0.5);
    c.lineTo(w, h - 0.5);
    c.stroke();
  }

  function paintRun(c, points, y, h, hue) {
    c.beginPath();
    points.forEach(([px, share], i) => (i ? c.lineTo(px, y(share)) : c.moveTo(px, y(share))));
    if (points.length === 1) c.lineTo(points[0][0] + 1.5, y(points[0][1]));
    c.strokeStyle = hue;
    c.lineWidth = 1.6;
    c.lineJoin = "round";
    c.stroke();
    c.lineTo(points[points.length - 1][0], h);
    c.lineTo(points[0][0], h);
    c.closePath();
    c.globalAlpha = 0.16;
    c.fillStyle = hue;
    c.fill();
    c.globalAlpha = 1;
  }

  // One CPU, disk or interface: a thin line.
  function paintPart(c, points, y, hue) {
    c.beginPath();
    points.forEach(([px, share], i) => (i ? c.lineTo(px, y(share)) : c.moveTo(px, y(share))));
    c.strokeStyle = hue;
    c.lineWidth = 0.8;
    c.globalAlpha = 0.6;
    c.stroke();
    c.globalAlpha = 1;
  }

  function paintBack(c, at, h) {
    c.strokeStyle = colour("focus");
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(Math.round(at) - 0.5, 0);
    c.lineTo(Math.round(at) - 0.5, h);
    c.stroke();
  }

  // The time that is looked at, below its line; the axis' ends give way.
  function placeTime(card, at, w) {
    const shows = back !== null;
    card.at.hidden = !shows;
    if (shows) {
      say(card.at, clock(back.time));
      const half = card.at.offsetWidth / 2;
      card.at.style.left = clamp(at - half, 0, w - 2 * half) + "px";
    }
    const far = shows ? at / w : 0.5;
    card.from.style.visibility = far < 0.45 && shows ? "hidden" : "";
    card.to.style.visibility = far > 0.55 && shows ? "hidden" : "";
  }

  // --- looking back ---
  function lookAt(sample) {
    back = sample === now() ? null : sample;
    show();
  }

  function point(card, e) {
    const end = now();
    if (!end) return;
    const t = end.time - (1 - placeIn(card.plot, e)[0] / card.plot.clientWidth) * reach();
    let found = null;
    for (const s of samples) {
      if (paused && s.time > paused.time) break;
      if (!found || Math.abs(s.time - t) < Math.abs(found.time - t)) found = s;
    }
    lookAt(found);
  }

  function step(n) {
    const from = samples.findIndex((s) => s.time > now().time - reach()), to = samples.indexOf(now());
    const at = samples.indexOf(shown()) + n;
    lookAt(samples[clamp(at, from, to)]);
  }

  function neighbour(card, n) {
    const list = [...card.figure.parentNode.children], next = list[list.indexOf(card.figure) + n];
    if (next) next.focus();
  }

  function cardKey(card, e) {
    if (modified(e) || !samples.length) return;
    const far = e.shiftKey ? 10 : 1;
    const moves = {
      ArrowLeft: () => step(-far), ArrowRight: () => step(far), Home: () => step(-KEPT), End: () => step(KEPT), Escape: () => lookAt(null),
    };
    if (moves[e.key]) {
      moves[e.key]();
      $("told").textContent = clock(shown().time) + ", " + reading(graphOf(shown(), card.source, card.name));
    } else if (e.key === "ArrowUp" || e.key === "ArrowDown") neighbour(card, e.key === "ArrowUp" ? -1 : 1);
    else return;
    e.preventDefault();
  }

  // --- controls ---
  function pause() { paused = paused ? null : samples[samples.length - 1] || null; back = null; show(); }
  function setLog() { look.log = !look.log; keep(); show(); }
  function setFit() { look.fit = !look.fit; keep(); show(); }
  function setTimes(n) {
    look.times = TIMES[clamp(TIMES.indexOf(look.times) + n, 0, TIMES.length - 1)] || 1;
    keep();
    show();
  }
  function setRange() { look.range = RANGES[(RANGES.indexOf(range()) + 1) % RANGES.length]; keep(); show(); }
  function menu() { $("menu").open = !$("menu").open; if ($("menu").open) ($("choice").querySelector("input") || $("menu")).focus(); }
  function help() { $("keys").showModal(); }

  $("pause").onclick = pause;
  $("log").onclick = setLog;
  $("fit").onclick = setFit;
  $("range").onclick = setRange;
  $("scale").onclick = () => setTimes(look.times === TIMES[TIMES.length - 1] ? -TIMES.length : 1);
  $("help").onclick = help;
  document.addEventListener("click", (e) => { if (!$("menu").contains(e.target)) $("menu").open = false; });
  document.addEventListener("keydown", (e) => {
    if (modified(e) || $("keys").open) return;
    if (e.key === "Escape" && $("menu").open) { $("menu").open = false; $("menu").querySelector("summary").focus(); return; }
    const own = e.target.closest("button, summary, input");
    const keys = { p: pause, l: setLog, a: setFit, r: setRange, g: menu, "?": help, "+": () => setTimes(1), "-": () => setTimes(-1) };
    if (e.key === " " && !own) pause();
    else if (keys[e.key]) keys[e.key]();
    else return;
    e.preventDefault();
  });

  // A stream that says nothing for long may be dead without our being told.
  setInterval(() => {
    const last = samples[samples.length - 1];
    if (opened && Date.now() - heard > 1000 * Math.max(45, last ? 3 * last.interval : 0)) { opened = false; open(); }
    show();
  }, 1000);
  open();
  show();
})();
