// What a browser adds to the picture: details, zoom, search, keys, upside down, the window's width.
// The boxes are read from the picture itself: a <g> a row, the outermost first; in it a <rect> a
// frame, from left to right, whose <title> has its name, its place and its amounts, a line each.
// psuite.flame(svg) does it, and returns an object whose search(text) marks what matches, and whose
// close() ends it: for pages that make one picture after the other.
psuite.flame = function (svg) {
  "use strict";
  const { clamp, percent, joined, make, modified, searched } = psuite;
  const SVG = "http://www.w3.org/2000/svg", HTML = "http://www.w3.org/1999/xhtml";
  const MARGIN = 10, PADDING = 3, EDGED = 3, CHARACTER = 6.63, LEAST = 300;
  const open = new AbortController(), { signal } = open;
  const alone = svg === document.documentElement;
  const rowsGroup = svg.querySelector(".rows"), head = svg.querySelector(".head");
  const ROW = +svg.dataset.row, drawn = +svg.dataset.width;
  const TOOLS = 30, DETAILS = 38, top = +svg.dataset.top + TOOLS + DETAILS;
  if (!rowsGroup) return { search() {}, close() {} };

  // --- the boxes: {rect, text, name, lines, row, x, w (of 1), up, hit, shown}
  const rows = [...rowsGroup.children], boxes = [], byRow = [];
  function readBox(rect, row, x) {
    const title = rect.querySelector("title"), lines = title.textContent.split("\n");
    const next = rect.nextElementSibling, text = next && next.localName === "text" ? next : null;
    const w = rect.getAttribute("width") / drawn;
    title.remove(); // the details say it
    rect.classList.add("live");
    return { rect, text, lines, name: lines[0], row, x, w, up: null, hit: false, shown: true };
  }
  rows.forEach((g, row) => {
    const above = byRow[row - 1] || [];
    let at = 0;
    byRow[row] = [...g.querySelectorAll("rect")].map((rect) => {
      const box = readBox(rect, row, rect.getAttribute("x") / drawn);
      const middle = box.x + box.w / 2;
      while (at + 1 < above.length && above[at + 1].x <= middle) at++;
      box.up = above[at] || null;
      rect.box = box;
      boxes.push(box);
      return box;
    });
  });
  const whole = boxes[0];

  // --- where things are
  let zoomed = whole, here = null, matches = null, icicle = svg.dataset.icicle !== undefined, width = drawn;

  const rowY = (row) => top + (icicle ? row : rows.length - 1 - row) * ROW;
  const columns = (character) => (character.codePointAt(0) >= 0x1000 ? 2 : 1);

  const columnsOf = (text) => [...text].reduce((sum, c) => sum + columns(c), 0);

  function fit(name, px) { // as flame_fit of src/core/export/flame_text.c
    const room = Math.floor(px / CHARACTER);
    if (room < 1) return "";
    let used = 0, fits = "", cut = "";
    for (const c of name) {
      used += columns(c);
      if (used > room) return room < 4 ? "" : cut + "..";
      fits += c;
      if (used + 2 <= room) cut = fits;
    }
    return fits;
  }

  function label(box, x, w) {
    const words = fit(box.name, w - 2 * PADDING);
    if (!box.text) {
      if (!words) return;
      box.text = make("text", { y: 12 }, "", SVG);
      box.rect.after(box.text);
    }
    box.text.textContent = words;
    box.text.setAttribute("x", x + PADDING);
  }

  function hide(box, hidden) {
    box.shown = !hidden;
    box.rect.classList.toggle("hidden", hidden);
    if (box.text) box.text.classList.toggle("hidden", hidden);
  }

  function put(box, x, w, above) {
    box.rect.setAttribute("x", x);
    box.rect.setAttribute("width", w);
    label(box, x, w);
    hide(box, false);
    box.rect.classList.toggle("above", above);
    box.rect.classList.toggle("edge", w >= EDGED);
  }

  function drawBoxes() {
    const callers = new Set();
    for (let b = zoomed.up; b; b = b.up) callers.add(b);
    const inside = new Set([zoomed]);
    for (const b of boxes) {
      if (inside.has(b.up)) inside.add(b);
      if (callers.has(b)) put(b, 0, width, true);
      else if (inside.has(b)) put(b, ((b.x - zoomed.x) / zoomed.w) * width, (b.w / zoomed.w) * width, false);
      else hide(b, true);
    }
  }

  function drawRows() {
    rows.forEach((g, row) => g.setAttribute("transform", `translate(${MARGIN},${rowY(row)})`));
  }

  // --- the head: it stays in sight when the page scrolls
  const text = (y, kind) => head.appendChild(make("text", { x: MARGIN, y, class: kind }, "", SVG));
  const nameLine = text(top - DETAILS + 12, "name"), placeLine = text(top - DETAILS + 27, "small");
  nameLine.style.fontWeight = "bold";
  head.querySelector(".paper").setAttribute("height", top - 2);
  const frame = head.appendChild(make("foreignObject", { x: MARGIN, y: top - DETAILS - TOOLS, height: TOOLS - 4 }, "", SVG));
  const tools = frame.appendChild(make("div", { class: "tools" }, "", HTML));
  const input = make("input", {
    type: "search", placeholder: "search: text or /regexp/", title: "/ or Ctrl-F; Enter: next match",
    spellcheck: "false",
  }, "", HTML);
  const button = (words, title, act) => {
    const b = make("button", { type: "button", title }, words, HTML);
    b.addEventListener("click", act);
    return b;
  };
  const turn = button("Upside down", "the outermost frames at the top, or at the bottom (i)", () => toggle());
  const reset = button("Reset zoom", "show all (Esc)", () => zoom(whole));
  const matched = make("span", { class: "matched" }, "", HTML);
  tools.append(input, turn, reset, matched);

  function keepHead() {
    const box = svg.getBoundingClientRect();
    const scale = box.width / svg.viewBox.baseVal.width || 1;
    const down = clamp(-box.top / scale, 0, box.height / scale - top - 3 * ROW);
    head.setAttribute("transform", `translate(0,${down})`);
  }

  function describe(box) {
    if (!box) {
      nameLine.textContent = placeLine.textContent = "";
      return;
    }
    const [, place, amounts, ...before] = box.lines, shares = [];
    if (box.up && box.up !== whole) shares.push(percent(box.w / box.up.w) + " of its caller");
    if (zoomed !== whole && box.w <= zoomed.w) shares.push(percent(box.w / zoomed.w) + " of the zoomed frame");
    nameLine.textContent = fit(box.name, width * 0.9);
    placeLine.textContent = fit(joined(place, amounts, ...shares, ...before), width);
  }

  // Of the legend the words that fit, each with the swatch before it.
  function drawLegend(full) {
    for (const e of svg.querySelectorAll(".legend text")) {
      const end = +e.getAttribute("x") + columnsOf(e.textContent) * CHARACTER, swatch = e.previousElementSibling;
      e.classList.toggle("hidden", end > full);
      if (swatch && swatch.localName === "rect") swatch.classList.toggle("hidden", end > full);
    }
  }

  // A phone lays a picture out on a page that is wider than its screen, and shrinks that page.
  function draw() {
    const room = alone ? document.documentElement.clientWidth || innerWidth : svg.parentNode.clientWidth;
    const shrunk = alone && screen.width && matchMedia("(any-pointer: coarse)").matches;
    const scale = shrunk ? Math.max(1, room / screen.width) : 1;
    width = Math.max(LEAST, room / scale - 2 * MARGIN);
    const full = width + 2 * MARGIN, height = top + rows.length * ROW + 10;
    svg.setAttribute("width", full * scale);
    svg.setAttribute("height", height * scale);
    svg.setAttribute("viewBox", `0 0 ${full} ${height}`);
    frame.setAttribute("width", width);
    drawLegend(full);
    drawRows();
    drawBoxes();
    keepHead();
    reset.disabled = zoomed === whole;
  }

  // --- zoom and focus
  function zoom(box) {
    zoomed = box;
    if (here && !isShownBy(here)) focus(box);
    draw();
    showMatched();
  }
  function isShownBy(box) { // whether box stays in sight
    for (let b = box; b; b = b.up) if (b === zoomed) return true;
    for (let b = zoomed; b; b = b.up) if (b === box) return true;
    return false;
  }
  function focus(box) {
    if (here) here.rect.classList.remove("at");
    here = box;
    describe(box);
    if (!box) return;
    box.rect.classList.add("at");
    box.rect.parentNode.append(...[box.rect, box.text].filter((e) => e)); // its frame over its neighbours'
    reveal(box);
  }
  function reveal(box) { // scrolls until the box is in sight, below the head
    if (!alone) return;
    const y = rowY(box.row) - scrollY;
    if (y < top) scrollBy(0, y - top - ROW);
    else if (y + 2 * ROW > innerHeight) scrollBy(0, y + 2 * ROW - innerHeight);
  }
  function toggle() {
    icicle = !icicle;
    draw();
    if (alone) scrollTo(0, icicle ? 0 : document.documentElement.scrollHeight);
    if (here) reveal(here);
  }

  // --- search
  function search() {
    matches = searched(input);
    for (const b of boxes) {
      b.hit = matches !== null && b !== whole && (matches(b.name) || matches(b.lines[1]));
      b.rect.classList.toggle("hit", b.hit);
    }
    rowsGroup.classList.toggle("searching", matches !== null);
    showMatched();
  }
  // The share of what has a match in its chain: each match counts but once.
  function showMatched() {
    const covered = new Set();
    let hits = 0, share = 0, part = 0;
    for (const b of boxes) {
      if (b.hit) hits++;
      if (b.up && covered.has(b.up)) covered.add(b);
      else if (b.hit) {
        covered.add(b);
        share += b.w;
        if (b.x + b.w / 2 > zoomed.x && b.x + b.w / 2 < zoomed.x + zoomed.w) part += Math.min(b.w, zoomed.w);
      }
    }
    if (part < share && covered.has(zoomed)) part = zoomed.w;
    const within = zoomed === whole ? "" : `, ${percent(part / zoomed.w)} of the zoomed frame`;
    matched.textContent = matches ? `${hits} matched: ${percent(share)}${within}` : "";
  }
  function nextMatch() { // from the widest on
    const hits = boxes.filter((b) => b.hit && b.shown).sort((a, b) => b.w - a.w || a.row - b.row);
    if (hits.length) focus(hits[(hits.indexOf(here) + 1) % hits.length]);
  }

  // --- keys
  const callees = (box) => (byRow[box.row + 1] || []).filter((b) => b.up === box && b.shown);
  function inward() { return callees(here).reduce((a, b) => (a && a.w >= b.w ? a : b), null); }
  function sideways(step) {
    const row = byRow[here.row].filter((b) => b.shown);
    return row[row.indexOf(here) + step];
  }
  function go(next) {
    const box = here ? next() : zoomed;
    if (box) focus(box);
  }
  const up = () => go(icicle ? () => here.up : inward), down = () => go(icicle ? inward : () => here.up);
  const keys = {
    ArrowUp: up, ArrowDown: down,
    ArrowLeft: () => go(() => sideways(-1)), ArrowRight: () => go(() => sideways(1)),
    Enter: () => here && zoom(here),
    Escape: leave, "/": find, n: nextMatch, i: toggle,
  };
  function find() {
    input.focus();
    input.select();
  }
  function leave() { // the search first, then the zoom, then the focus
    if (input.value) {
      input.value = "";
      search();
    } else if (zoomed !== whole) zoom(whole);
    else focus(null);
    input.blur();
  }
  function onKey(e) {
    const typing = e.target === input;
    if ((e.ctrlKey || e.metaKey) && e.key === "f") find();
    else if (modified(e)) return;
    else if (typing && e.key === "Enter") nextMatch();
    else if (typing && e.key !== "Escape") return;
    else if (e.target.localName === "button" && e.key === "Enter") return;
    else if (keys[e.key]) keys[e.key]();
    else return;
    e.preventDefault();
  }

  // --- what happens
  rowsGroup.addEventListener("click", (e) => {
    if (!e.target.box) return;
    focus(e.target.box);
    zoom(e.target.box);
  });
  rowsGroup.addEventListener("mouseover", (e) => describe(e.target.box || here));
  rowsGroup.addEventListener("mouseleave", () => describe(here));
  input.addEventListener("input", search);
  (alone ? window : svg).addEventListener("keydown", onKey, { signal });
  window.addEventListener("scroll", keepHead, { passive: true, signal });
  window.addEventListener("resize", draw, { signal });
  if (!alone) svg.setAttribute("tabindex", "0");

  draw();
  if (alone) scrollTo(0, document.documentElement.scrollHeight); // the flames' foot
  return {
    search(text) {
      input.value = text;
      search();
    },
    searched: () => input.value,
    close: () => open.abort(),
  };
};
