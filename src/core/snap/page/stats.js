// The statistics as strips above the timeline, on its scale of time.
"use strict";
const Strips = (function () {
  const { rounded, joined, fitCanvas, colour } = psuite;
  const STRIP = 26, STRIPS = [
    ["CPU", ["cpu"]], ["disk", ["diskread", "diskwrite"]], ["network", ["netin", "netout"]], ["memory", ["avail"]],
    ["pressure", ["cpupsi", "iopsi", "mempsi"]]];
  const STRIP_COLOURS = ["task1", "red", "blue"];
  const STRIP_UNITS = { bytes: "B", "bytes/s": "B/s" };

  class Strips {
    constructor(graphs, canvas, timeline) {
      Object.assign(this, { canvas, timeline, pen: canvas.getContext("2d", { alpha: false }) });
      this.time = graphs.time_ms.map((t) => t * 1e6);
      this.interval = this.time.length > 1 ? (this.time[this.time.length - 1] - this.time[0]) / (this.time.length - 1) : graphs.interval_s * 1e9;
      const byName = new Map(graphs.graph.map((g) => [g.name, g]));
      this.strips = STRIPS.map(([name, wanted]) => ({ name, graphs: wanted.map((n) => byName.get(n)).filter((g) => g && g.values) }))
        .filter((s) => s.graphs.length);
      for (const s of this.strips) {
        s.unit = STRIP_UNITS[s.graphs[0].unit] || s.graphs[0].unit;
        s.full = s.unit === "%" ? 100 : Math.max(0, ...s.graphs.map((g) => Math.max(...g.values.map((v) => v || 0))));
      }
      canvas.style.height = this.strips.length * STRIP + "px";
      canvas.hidden = !this.strips.length;
    }
    // The sample whose interval has t; -1: none.
    at(t) {
      const i = this.time.findIndex((end) => end >= t);
      return i > 0 || (i === 0 && this.time[0] - this.interval <= t) ? i : -1;
    }
    valueText(strip, t) {
      const i = this.at(t);
      return i < 0 ? "no sample" : strip.graphs.map((g) => (g.values[i] === null ? "-" : rounded(g.values[i]) + strip.unit)).join(", ");
    }
    text(y, t) {
      const s = this.strips[Math.floor(y / STRIP)];
      return s ? joined(s.graphs.map((g) => g.summary).join(", "), timeText(t), this.valueText(s, t)) : "";
    }
    draw() {
      const { canvas, pen } = this, { picture, view } = this.timeline, width = canvas.clientWidth;
      if (canvas.hidden || !width) return;
      fitCanvas(pen, width, this.strips.length * STRIP);
      pen.fillStyle = colour("paper");
      pen.fillRect(0, 0, width, this.strips.length * STRIP);
      pen.font = "12px system-ui, sans-serif";
      pen.textBaseline = "middle";
      this.strips.forEach((s, i) => this.strip(s, i * STRIP));
      if (!view.range) return;
      pen.globalAlpha = 0.14;
      pen.fillStyle = colour("blue");
      const [from, to] = view.range.map((t) => Math.max(picture.labels, picture.x(t)));
      pen.fillRect(from, 0, to - from, this.strips.length * STRIP);
      pen.globalAlpha = 1;
    }
    strip(s, y) {
      const { pen } = this, { picture, view } = this.timeline, { labels, width, slim } = picture;
      pen.save();
      pen.beginPath();
      pen.rect(labels, y, width, STRIP);
      pen.clip();
      pen.fillStyle = colour("line");
      pen.fillRect(labels, y + STRIP - 1, width, 1);
      s.graphs.forEach((g, i) => this.graph(s, g, i, y));
      pen.restore();
      const told = view.cursor >= 0 ? this.valueText(s, view.cursor) : s.full ? "of " + rounded(s.full) + s.unit : "none";
      pen.fillStyle = colour("quiet");
      pen.textAlign = "right";
      if (!slim) pen.fillText(fitText(pen, told, labels - 80), labels - 8, y + STRIP / 2);
      pen.textAlign = "left";
      pen.fillStyle = colour("ink");
      pen.fillText(s.name, slim ? 4 : 8, y + STRIP / 2);
    }
    // The first of a strip as an area, others as lines.
    graph(s, g, index, y) {
      const { pen } = this, { picture } = this.timeline, base = y + STRIP - 2, high = STRIP - 5;
      pen.fillStyle = colour(STRIP_COLOURS[index]);
      for (let i = 0; i < g.values.length; i++) {
        const from = picture.x(i ? this.time[i - 1] : this.time[i] - this.interval), to = picture.x(this.time[i]), v = g.values[i];
        if (v === null || to < picture.labels || from > picture.labels + picture.width) continue;
        const tall = Math.min(1, v / (s.full || 1)) * high;
        if (index) pen.fillRect(from, base - tall - 1, to - from, 1.5);
        else pen.fillRect(from, base - tall, Math.max(1, to - from + 0.5), tall);
      }
    }
  }
  return Strips;
})();
