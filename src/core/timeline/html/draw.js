// The picture on a <canvas>. What it costs is bounded by its pixels, not by what was recorded: where
// spans are narrower than a pixel, one column tells how much of its time they cover.
"use strict";
const { oneTwoFive, percent, fitCanvas, colour } = psuite;
const WIDE = 600, LABELS = 220, SLIM_LABELS = 96, AXIS = 22, TALL = 30, TALLEST = 56, FLAT = 15, OVERVIEW = 46, CROWDED = 9;
const SCALES = oneTwoFive(1, 5e12);
// How an event is drawn: its colour, up (1), down (-1) or a tick (0), its thickness; and which one is, of several in a column.
const ARROWS = {
  User: ["blue", -1, 1, 9], Deadline: ["ink", -1, 1.6, 8], Admit: ["green", 1, 1.6, 7], Expel: ["red", -1, 1.6, 6], Release: ["ink", 1, 1.6, 5],
  Yield: ["green", -1, 1, 4], Slice: ["red", -1, 1, 3], Ints: ["green", 0, 1, 2], Inte: ["blue", 0, 1, 2], Softs: ["green", 0, 1, 1], Softe: ["blue", 0, 1, 1],
  Call: ["green", 0, 1, 1], Return: ["blue", 0, 1, 1],
};
const NO_ARROW = ["ink", 0, 0, 0];
const ENDS_TICK = new Set(["Inte", "Softe", "Return"]);

class Picture {
  constructor(trace, view, canvas, overview) {
    Object.assign(this, { trace, view, canvas, overview, load: null });
    this.pen = canvas.getContext("2d", { alpha: false });
    this.arrows = trace.kinds.map((kind) => ARROWS[kind] || NO_ARROW);
    this.strip = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  }
  colours() {
    this.paint = Object.fromEntries(["paper", "ink", "quiet", "line", "band", "mark", "red", "green", "blue", "lost"]
      .map((name) => [name, colour(name)]));
    this.task = [0, 1, 2, 3, 4, 5].map((i) => colour("task" + i));
    this.bits = Object.fromEntries([...Object.values(this.paint), ...this.task].map((text) => [text, colourBits(text)]));
    this.load = null;
  }
  fit(canvas, height) {
    const pen = canvas === this.canvas ? this.pen : canvas.getContext("2d");
    if (fitCanvas(pen, canvas.clientWidth, height)) this.load = null;
    return pen;
  }
  get slim() {
    return this.canvas.clientWidth < WIDE;
  }
  get labels() {
    return this.slim ? SLIM_LABELS : LABELS;
  }
  get width() {
    return this.canvas.clientWidth - this.labels;
  }
  x(t) {
    return this.labels + ((t - this.view.from) * this.width) / (this.view.to - this.view.from);
  }
  t(x) {
    return this.view.from + ((x - this.labels) * (this.view.to - this.view.from)) / this.width;
  }

  draw() {
    const { view, paint } = this, height = this.canvas.clientHeight;
    const pen = this.fit(this.canvas, height);
    pen.fillStyle = paint.paper;
    pen.fillRect(0, 0, this.canvas.clientWidth, height);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    this.ticks(pen, height);
    const each = view.rowHeight, first = Math.floor(view.top / each);
    pen.save();
    pen.beginPath();
    pen.rect(0, AXIS, this.canvas.clientWidth, height - AXIS);
    pen.clip();
    for (let i = first; i < view.rows.length; i++) {
      const y = AXIS + i * each - view.top;
      if (y >= height) break;
      this.row(pen, view.rows[i], y, each, i);
    }
    pen.restore();
    this.cursor(pen, height);
    this.drawOverview();
  }

  ticks(pen, height) {
    const { view, paint } = this, span = view.to - view.from;
    const step = SCALES.find((s) => (s * this.width) / span >= 90) || SCALES[SCALES.length - 1];
    pen.fillStyle = paint.quiet;
    pen.textAlign = "center";
    for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
      const x = Math.round(this.x(t));
      pen.fillStyle = paint.line;
      pen.fillRect(x, AXIS - 4, 1, height);
      pen.fillStyle = paint.quiet;
      const words = tickText(t, step), last = this.labels + this.width - widthOf(pen, words) / 2 - 2;
      pen.fillText(words, Math.min(Math.max(x, this.labels + 16), last), AXIS / 2 - 1);
    }
    pen.textAlign = "left";
  }

  row(pen, row, y, height, index) {
    const { view, paint } = this;
    if (index === view.selected || row.hit) {
      pen.fillStyle = index === view.selected ? paint.band : paint.mark;
      pen.fillRect(0, y, this.canvas.clientWidth, height);
    }
    if (row.picked) {
      pen.fillStyle = paint.blue;
      pen.fillRect(0, y, 3, height);
    }
    const base = y + height - 3, thick = height > 20 ? height - 15 : height - 5;
    pen.save();
    pen.beginPath();
    pen.rect(this.labels, y, this.width, height);
    pen.clip();
    pen.fillStyle = paint.line;
    pen.fillRect(this.labels, y + height - 1, this.width, 1);
    this.clearStrip();
    this.lost(pen, row, base - thick, thick);
    this.spans(pen, row, base - thick, thick);
    this.marks(pen, row, y + 1, base);
    pen.restore();
    this.label(pen, row, y, height);
  }
  // Where the picture is slim, the time is below the name, and of low rows not there.
  label(pen, row, y, height) {
    const { paint, view, slim } = this, share = row.ranBefore(view.to) - row.ranBefore(view.from);
    const amount = timeText(share), below = slim && height >= TALL ? 7 : 0;
    pen.fillStyle = paint.quiet;
    pen.textAlign = "right";
    if (!slim || below) pen.fillText(amount, this.labels - 8, y + height / 2 + below);
    pen.textAlign = "left";
    pen.fillStyle = paint.ink;
    const room = this.labels - (slim ? 8 : 20 + widthOf(pen, amount));
    pen.fillText(fitText(pen, row.name, room), slim ? 4 : 8, y + height / 2 - below);
  }

  spans(pen, row, y, height) {
    const { trace, view } = this, { spans } = row, scale = this.width / (view.to - view.from);
    for (let i = row.first(view.from); i < spans.length;) {
      const id = spans[i], start = trace.start[id];
      if (start - trace.wait[id] >= view.to) break;
      const x = this.labels + (start - view.from) * scale, width = (trace.end[id] - start) * scale;
      this.wait(pen, id, x, y + height / 2, scale);
      if (start >= view.to) break;
      if (width >= 1) {
        this.span(pen, id, Math.max(x, this.labels - 1), y, Math.min(x + width, this.labels + this.width + 1), height);
        i++;
      } else {
        i = this.column(row, i, Math.floor(x), scale);
      }
    }
    pen.globalAlpha = 1;
    this.drawStrip(pen, 0, y, height);
  }
  span(pen, id, x, y, right, height) {
    const { trace, paint } = this;
    pen.globalAlpha = 1;
    pen.fillStyle = this.task[trace.task[id] % 6];
    pen.fillRect(x, y, Math.max(1, right - x - (right - x > 3 ? 0.5 : 0)), height);
    if (right - x < 34 || height < 10) return;
    const fits = this.view.byCpu ? fitText(pen, trace.tasks[trace.task[id]].name, right - x - 8) : right - x > 44 ? `CPU ${trace.cpu[id]}` : "";
    pen.fillStyle = "#14161a";
    if (fits) pen.fillText(fits, x + 4, y + height / 2 + 0.5);
    pen.fillStyle = paint.ink;
  }
  // The time between its wake-up (or preemption) and this run.
  wait(pen, id, x, y, scale) {
    const width = this.trace.wait[id] * scale;
    if (this.view.byCpu || width < 2) return;
    pen.globalAlpha = 0.75;
    pen.fillStyle = this.task[this.trace.task[id] % 6];
    pen.fillRect(x - width, y - 1, width, 2);
  }
  // All spans that are narrower than a pixel in this one.
  column(row, i, x, scale) {
    const { trace, view } = this, from = view.from + (x - this.labels) / scale, to = from + 1 / scale;
    const next = row.first(to, i), before = Math.max(0, i - 1);
    const share = Math.min(1, (row.ranBefore(to, next) - row.ranBefore(from, row.first(from, before))) * scale);
    this.dot(0, x, this.task[trace.task[row.spans[i]] % 6], 0.3 + 0.7 * share);
    return Math.max(next, i + 1);
  }

  // Columns of a row that are a pixel wide are gathered in a strip, line 0 for spans, 1 for marks, which is
  // drawn as one picture, as high as wanted: thousands of small rectangles would take too long.
  clearStrip() {
    const width = Math.max(1, Math.floor(this.width)), { canvas } = this.strip;
    if (!this.pixels || this.pixels.width !== width) {
      canvas.width = width;
      canvas.height = 2;
      this.pixels = new ImageData(width, 2);
      this.words = new Uint32Array(this.pixels.data.buffer);
    }
    this.words.fill(0);
    this.dotted = [false, false];
  }
  dot(line, x, paint, share) {
    const at = Math.floor(x) - this.labels;
    if (at < 0 || at >= this.pixels.width) return;
    this.words[line * this.pixels.width + at] = this.bits[paint] | (Math.round(share * 255) << 24);
    this.dotted[line] = true;
  }
  drawStrip(pen, line, y, height) {
    if (!this.dotted[line]) return;
    const { width } = this.pixels;
    this.strip.putImageData(this.pixels, 0, 0);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.strip.canvas, 0, line, width, 1, this.labels, y, width, height);
  }

  // One a column: the one that ranks highest. Where they crowd, short ticks above the spans.
  marks(pen, row, top, base) {
    const { trace, view } = this, { marks } = row, scale = this.width / (view.to - view.from);
    const first = row.firstMark(view.from), crowd = row.firstMark(view.to, first) - first > this.width / CROWDED / 2;
    for (let i = first; i < marks.length && trace.markTime[marks[i]] <= view.to;) {
      const x = Math.floor((trace.markTime[marks[i]] - view.from) * scale);
      const next = row.firstMark(view.from + (x + 1) / scale, i + 1);
      let best = marks[i];
      for (let j = i + 1; j < Math.min(next, i + 64); j++)
        if (this.rank(marks[j]) > this.rank(best)) best = marks[j];
      if (crowd) this.tick(best, this.labels + x);
      else this.arrow(pen, best, this.labels + x, top, base);
      i = Math.max(next, i + 1);
    }
    this.drawStrip(pen, 1, top + 3, 5);
  }
  rank(mark) {
    return this.arrows[this.trace.markKind[mark]][3];
  }
  tick(mark, x) {
    const [name, , thick] = this.arrows[this.trace.markKind[mark]];
    if (thick) this.dot(1, x, this.paint[name], 0.6);
  }
  arrow(pen, mark, x, top, base) {
    const [name, way, thick] = this.arrows[this.trace.markKind[mark]];
    if (!thick) return;
    pen.fillStyle = this.paint[name];
    if (way === 0) { // interrupts: starts above, ends below
      const middle = (top + base) / 2, ends = ENDS_TICK.has(this.trace.kind(mark));
      pen.fillRect(x, ends ? middle : top + 4, 1, ends ? base - middle : middle - top - 4);
      return;
    }
    pen.fillRect(x, top + 1, thick, base - top - 2);
    const tip = way > 0 ? top : base, back = way > 0 ? top + 6 : base - 6;
    pen.beginPath();
    pen.moveTo(x + 0.6, tip);
    pen.lineTo(x - 3, back);
    pen.lineTo(x + 4.2, back);
    pen.fill();
  }
  lost(pen, row, y, height) {
    for (const gap of this.trace.lost) {
      if (gap.end < this.view.from || gap.start > this.view.to || (this.view.byCpu && row.name !== `CPU ${gap.cpu}`)) continue;
      const x = this.x(gap.start), width = Math.max(2, this.x(gap.end) - x);
      pen.fillStyle = this.paint.lost;
      pen.globalAlpha = this.view.byCpu ? 0.9 : 0.35;
      pen.fillRect(x, y, width, height);
      pen.globalAlpha = 1;
    }
  }

  cursor(pen, height) {
    const { view, paint } = this;
    if (view.range) {
      const [from, to] = view.range.map((t) => this.x(t));
      pen.globalAlpha = 0.14;
      pen.fillStyle = paint.blue;
      pen.fillRect(from, AXIS, to - from, height);
      pen.globalAlpha = 1;
    }
    if (view.cursor < view.from || view.cursor > view.to) return;
    pen.fillStyle = paint.red;
    pen.fillRect(Math.round(this.x(view.cursor)), AXIS - 6, 1, height);
  }

  // The whole recording: how much of the CPUs' time was used, and where the picture is of.
  drawOverview() {
    const pen = this.fit(this.overview, OVERVIEW), { view, trace, paint } = this;
    const width = this.overview.clientWidth - this.labels;
    if (!this.load) this.load = this.measureLoad(Math.max(1, Math.floor(width)));
    pen.clearRect(0, 0, this.overview.clientWidth, OVERVIEW);
    pen.fillStyle = paint.band;
    pen.fillRect(this.labels, 0, width, OVERVIEW);
    pen.fillStyle = paint.quiet;
    this.load.forEach((share, x) => pen.fillRect(this.labels + x, OVERVIEW * (1 - share), 1, OVERVIEW * share));
    pen.fillStyle = paint.lost;
    for (const gap of trace.lost)
      pen.fillRect(this.labels + (gap.start / trace.length) * width, 0, Math.max(2, ((gap.end - gap.start) / trace.length) * width), 5);
    const from = this.labels + (view.from / trace.length) * width, to = this.labels + (view.to / trace.length) * width;
    pen.globalAlpha = 0.16;
    pen.fillStyle = paint.blue;
    pen.fillRect(from, 0, Math.max(2, to - from), OVERVIEW);
    pen.globalAlpha = 1;
    pen.strokeStyle = paint.blue;
    pen.strokeRect(from + 0.5, 0.5, Math.max(2, to - from) - 1, OVERVIEW - 1);
    pen.fillStyle = paint.ink;
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.fillText(this.slim ? `CPUs ${this.usedText()}` : `CPUs used: ${this.usedText()}`, this.slim ? 4 : 8, OVERVIEW / 2);
  }
  measureLoad(width) {
    const { trace } = this, load = new Float64Array(width), each = trace.length / width;
    for (const row of trace.cpuRows)
      for (let x = 0, before = 0; x < width; x++) {
        const ran = row.ranBefore((x + 1) * each);
        load[x] += (ran - before) / each / trace.cpus;
        before = ran;
      }
    return load;
  }
  usedText() {
    const { trace, view } = this;
    const ran = trace.cpuRows.reduce((sum, row) => sum + row.ranBefore(view.to) - row.ranBefore(view.from), 0);
    return percent(ran / (view.to - view.from) / Math.max(1, trace.cpus), 1);
  }
}

// A colour of the style sheet, #rrggbb, as a canvas's bytes have it, without its alpha.
function colourBits(text) {
  const n = parseInt(text.slice(1), 16);
  return (n >> 16) | (n & 0xff00) | ((n & 0xff) << 16);
}

function tickText(t, step) {
  const [unit, size] = step >= 1e9 ? ["s", 1e9] : t >= 1e9 && step >= 1e6 ? ["s", 1e9] : step >= 1e6 || t >= 1e6 ? ["ms", 1e6]
    : step >= 1e3 || t >= 1e3 ? ["\u00b5s", 1e3] : ["ns", 1];
  const decimals = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
  return (t / size).toFixed(decimals) + unit;
}

// Widths are asked for once a text: labels are the same in each picture.
const widths = new Map();
function widthOf(pen, text) {
  let width = widths.get(text);
  if (width === undefined) {
    if (widths.size > 20000) widths.clear();
    widths.set(text, (width = pen.measureText(text).width));
  }
  return width;
}

function fitText(pen, text, room) {
  if (widthOf(pen, text) <= room) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOf(pen, text.slice(0, middle) + "\u2026") <= room) low = middle;
    else high = middle - 1;
  }
  return low > 1 ? text.slice(0, low) + "\u2026" : "";
}
