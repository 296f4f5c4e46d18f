// The samples: decoded once, counted by call chain for a time and a thread or CPU, and made into the
// boxes that psuite.flame reads. The layout of the bytes is in src/core/snap/samples_data.h.
"use strict";
const [Samples, Flame] = (function () {
  const { percent, counted, joined, make } = psuite;
  const NO_KIND = 0, KIND_COLOURS = ["", "k", "j", "w"], HUES = 10;

  class Samples {
    constructor(base64) {
      const r = new Reader(base64), list = (read) => Array.from({ length: r.number() }, read);
      if (r.number() !== 1) throw new Error("another version of the samples");
      this.period = r.number();
      this.modules = list(() => r.text());
      this.functions = list(() => ({ name: r.text(), module: r.number() - 1, kind: r.number() }));
      this.readChains(r);
      this.threads = list(() => ({ pid: r.number(), tid: r.number(), name: r.text() }));
      this.readSamples(r);
      this.chooseHues();
    }
    readChains(r) {
      const n = r.number();
      this.caller = new Int32Array(n); // below its own number
      this.functionOf = new Uint32Array(n);
      for (let i = 0; i < n; i++) {
        this.caller[i] = r.number() - 1;
        this.functionOf[i] = r.number();
      }
    }
    readSamples(r) {
      const n = r.number();
      this.time = new Float64Array(n);
      this.thread = new Int32Array(n);
      this.cpu = new Uint16Array(n);
      this.chain = new Int32Array(n);
      for (let i = 0, t = 0; i < n; i++) {
        this.time[i] = t += r.number();
        this.thread[i] = r.number() - 1;
        this.cpu[i] = r.number();
        this.chain[i] = r.number() - 1;
      }
    }
    // Modules that took most have colours of their own; those of one name are one file, of which not all build-ids are known.
    chooseHues() {
      const self = new Float64Array(this.modules.length), first = new Map();
      this.modules.forEach((name, module) => { if (!first.has(name)) first.set(name, module); });
      for (const chain of this.chain) {
        const f = chain < 0 ? null : this.functions[this.functionOf[chain]];
        if (f && f.module >= 0 && f.kind === NO_KIND) self[first.get(this.modules[f.module])]++;
      }
      this.hue = new Uint8Array(this.modules.length);
      [...first.values()].sort((a, b) => self[b] - self[a] || a - b).forEach((module, rank) => { this.hue[module] = (rank * 3) % HUES; });
      this.modules.forEach((name, module) => { this.hue[module] = this.hue[first.get(name)]; });
    }
    colourOf(f) {
      return KIND_COLOURS[f.kind] || (f.module < 0 ? "x" : "u" + this.hue[f.module]);
    }
    // The number of the first sample at or after t.
    first(t) {
      let low = 0, high = this.time.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.time[middle] < t) low = middle + 1;
        else high = middle;
      }
      return low;
    }
    // By chain, of those in [from, to) that `only' takes: {all, none, self, total}. none: without a chain.
    count(from, to, only) {
      const { caller, chain } = this, n = caller.length, self = new Float64Array(n), total = new Float64Array(n);
      let all = 0, none = 0;
      for (let i = this.first(from), end = this.first(to); i < end; i++) {
        if (only && !only(this, i)) continue;
        all++;
        if (chain[i] < 0) none++;
        else self[chain[i]]++;
      }
      for (let i = n - 1; i >= 0; i--) {
        total[i] += self[i];
        if (caller[i] >= 0) total[caller[i]] += total[i];
      }
      return { all, none, self, total };
    }
    // Where the scheduler was not recorded: a row a thread, in which each sample is the time before it.
    fill(trace) {
      const n = this.time.length, unknown = this.threads.length, long = Math.min(this.period || 1e6, 1e8);
      const known = new Map(), task = new Uint32Array(n), last = [];
      trace.tasks = [];
      trace.start = new Float64Array(n);
      trace.end = this.time;
      for (let i = 0; i < n; i++) {
        const t = this.threads[this.thread[i]] || { tid: -1, name: "(unknown)" }, key = this.thread[i] < 0 ? unknown : this.thread[i];
        if (!known.has(key)) known.set(key, trace.tasks.push({ pid: t.tid, name: t.name }) - 1);
        task[i] = known.get(key);
        trace.start[i] = Math.max(0, this.time[i] - long, last[task[i]] || 0);
        last[task[i]] = this.time[i];
      }
      const none = new Int32Array(n).fill(-1);
      Object.assign(trace, { task, cpu: this.cpu, wait: new Float64Array(n), how: new Uint8Array(n).fill(5), waker: none, taker: none });
      trace.cpus = Math.max(trace.cpus, ...(n ? [this.cpu.reduce((a, b) => Math.max(a, b), 0) + 1] : [0]));
      trace.byPid = new Map(trace.tasks.map((one, i) => [one.pid, i]));
      trace.taskRows = trace.rowsOf(task, trace.markTask, trace.tasks.length, (i) => `${trace.tasks[i].pid} ${trace.tasks[i].name}`);
      trace.cpuRows = trace.rowsOf(this.cpu, trace.markCpu, trace.cpus, (i) => `CPU ${i}`);
    }
  }

  // The picture that psuite.flame reads, as src/core/export/flame.c writes it.
  class Flame {
    constructor(samples, counts) {
      Object.assign(this, { samples, counts });
      this.space = "http://www.w3.org/2000/svg";
      this.width = 1200;
      this.row = 16;
      this.top = 46;
      this.least = 0.4; // narrower boxes are not drawn
    }
    part(name, attributes, text) {
      return make(name, attributes, text, this.space);
    }
    // By caller (its number + 1), sorted by name: the chains that are wide enough.
    children() {
      const { caller, functionOf, functions } = this.samples, { total, all } = this.counts, of = new Map();
      for (let i = 0; i < caller.length; i++) {
        if (!total[i]) continue;
        if ((total[i] / all) * this.width < this.least) {
          this.leftOut++;
          continue;
        }
        if (!of.has(caller[i] + 1)) of.set(caller[i] + 1, []);
        of.get(caller[i] + 1).push(i);
      }
      const name = (i) => functions[functionOf[i]].name;
      for (const list of of.values()) list.sort((a, b) => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a - b));
      return of;
    }
    box(group, x, width, kind, lines) {
      const rect = this.part("rect", { class: kind, x, width, height: this.row - 1 });
      rect.append(this.part("title", {}, lines.join("\n")));
      group.append(rect);
    }
    // Row after row: each level's boxes are in the order of their callers.
    rows(into) {
      const { samples, counts } = this, of = this.children(), scale = this.width / counts.all;
      let level = [{ chain: -1, x: 0 }];
      for (let depth = 0; level.length; depth++) {
        const group = into.appendChild(this.part("g")), next = [];
        for (const { chain, x } of level) {
          if (chain < 0) this.box(group, 0, this.width, "all", ["all", "", counted(counts.all, "sample")]);
          else this.frame(group, chain, x, scale);
          let at = x;
          for (const child of of.get(chain + 1) || []) {
            next.push({ chain: child, x: at });
            at += counts.total[child] * scale;
          }
        }
        level = next;
      }
    }
    frame(group, chain, x, scale) {
      const { samples, counts } = this, f = samples.functions[samples.functionOf[chain]];
      const share = (n) => percent(n / counts.all);
      this.box(group, x, counts.total[chain] * scale, samples.colourOf(f), [f.name, samples.modules[f.module] || "",
        `${counted(counts.total[chain], "sample")}, ${share(counts.total[chain])} of all; self ${share(counts.self[chain])}`]);
    }
    legend(head) {
      const { samples, counts } = this, legend = head.appendChild(this.part("g", { class: "legend" })), self = new Map();
      const names = { k: "kernel", j: "JIT", w: "waiting", x: "other" };
      for (let i = 0; i < counts.self.length; i++) {
        const f = samples.functions[samples.functionOf[i]], hue = samples.colourOf(f);
        if (!counts.self[i]) continue;
        const name = names[hue] || samples.modules[f.module];
        if (!self.has(name)) self.set(name, { name, hue, n: 0 });
        self.get(name).n += counts.self[i];
      }
      let x = 10;
      for (const one of [...self.values()].sort((a, b) => b.n - a.n).slice(0, 6)) {
        const words = `${one.name.length > 24 ? one.name.slice(0, 22) + ".." : one.name} ${percent(one.n / counts.all, 1)}`;
        legend.append(this.part("rect", { class: one.hue, x, y: 25, width: 11, height: 11 }), this.part("text", { x: x + 15, y: 35 }, words));
        x += 15 + 6.63 * words.length + 14;
      }
    }
    build() {
      this.leftOut = 0;
      const svg = this.part("svg", { class: "flame", "data-top": this.top, "data-row": this.row, "data-width": this.width, "data-icicle": "" });
      svg.append(this.part("rect", { class: "paper", width: "100%", height: "100%" }));
      const rows = svg.appendChild(this.part("g", { class: "rows" }));
      this.rows(rows);
      const head = svg.appendChild(this.part("g", { class: "head" })), { all, none } = this.counts;
      head.append(this.part("rect", { class: "paper", width: "100%", height: this.top - 6 }));
      head.append(this.part("text", { class: "small", x: 10, y: 16 }, joined(counted(all, "sample"),
        none && `${none} without a chain`, this.leftOut && `${counted(this.leftOut, "narrow frame")} not drawn`)));
      this.legend(head);
      return svg;
    }
  }
  return [Samples, Flame];
})();
