// What the pages of psuite (stats --web, flame graphs, timelines) have in common. Each page has it
// in a script element before its own script, which names what it uses: const { clamp } = psuite.
// At least two pages use each function (tests/golden/pages.sh). All of it works in an SVG document.
var psuite = (function () { // var: a document may hold several flame graphs
  "use strict";

  // --- numbers and words
  const clamp = (v, low, high) => Math.max(low, Math.min(v, high));
  // 1, 2 and 5 times the powers of ten from low, a power of ten itself, to high.
  function oneTwoFive(low, high) {
    const made = [];
    for (let power = low; power <= high; power *= 10) made.push(power, 2 * power, 5 * power);
    return made.filter((n) => n <= high);
  }
  const percent = (share, decimals = 2) => (100 * share).toFixed(decimals) + "%";
  // Three digits, and k, M, G of 1000.
  function rounded(v) {
    for (const [n, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]])
      if (Math.abs(v) >= n) return +(v / n).toPrecision(3) + letter;
    return String(+v.toPrecision(3));
  }
  const counted = (n, what) => n + " " + what + (n === 1 ? "" : "s");
  const joined = (...parts) => parts.filter(Boolean).join("; ");

  // --- elements
  // space: the namespace, which must be given in SVG documents.
  function make(name, attributes, text, space) {
    const e = space ? document.createElementNS(space, name) : document.createElement(name);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    if (text) e.textContent = text;
    return e;
  }
  // Screen readers repeat a status that is written again, so the same text is not.
  const say = (e, text) => { if (e.textContent !== text) e.textContent = text; };

  // --- drawing
  // Returns a function that has draw() called before the next frame, once however often it is called.
  function onceAFrame(draw) {
    let asked = false;
    return () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => { asked = false; draw(); });
    };
  }
  // Gives the canvas of pen the resolution of the screen. True if it changed, which clears the canvas.
  function fitCanvas(pen, width, height) {
    const { canvas } = pen, ratio = window.devicePixelRatio || 1;
    const wide = Math.round(width * ratio), high = Math.round(height * ratio);
    const changes = canvas.width !== wide || canvas.height !== high;
    if (changes) Object.assign(canvas, { width: wide, height: high });
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    return changes;
  }
  // Colours of the style sheet, by the names of its custom properties. act: called when the system
  // turns light or dark.
  const colours = new Map();
  function colour(name) {
    if (!colours.has(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
    return colours.get(name);
  }
  function onColours(act) {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours.clear(); act(); });
  }

  // --- keys, pointer, search
  const modified = (e) => e.ctrlKey || e.metaKey || e.altKey;
  function placeIn(element, e) {
    const box = element.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }
  // What a search box asks for, as a function of a text; null if nothing. Words match in either case;
  // so does a /regexp/ without capitals. One that is not finished matches nothing and marks the box.
  function searched(input) {
    const words = input.value.trim(), low = words.toLowerCase(), regexp = words.match(/^\/(.+?)\/?$/);
    let is = (text) => text.toLowerCase().includes(low), wrong = false;
    try {
      const r = regexp && new RegExp(regexp[1], /[A-Z]/.test(regexp[1]) ? "" : "i");
      if (r) is = (text) => r.test(text);
    } catch (e) {
      wrong = true;
      is = () => false;
    }
    input.classList.toggle("wrong", wrong);
    return words ? is : null;
  }

  return { clamp, oneTwoFive, percent, rounded, counted, joined, make, say, onceAFrame, fitCanvas, colour, onColours, modified, placeIn, searched };
})();
