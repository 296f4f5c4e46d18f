// What was recorded, decoded once into flat arrays and asked by time from then on. The layout of the
// bytes is in include/core/timeline/page_data.h. Times are nanoseconds from the start.
"use strict";
const ENDS = ["then slept", "then was preempted", "then yielded", "then ended", "runs still", "its end was not seen"];
const HAS_WAIT = 1, HAS_WAKER = 2, HAS_TAKER = 4;

// Numbers out of bytes: LEB128, signed ones in zigzag. Sums of steps stay exact below 2^53 ns, 104 days.
class Reader {
  constructor(base64) {
    const text = atob(base64.replace(/\s+/g, ""));
    this.bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) this.bytes[i] = text.charCodeAt(i);
    this.at = 0;
  }
  number() {
    let value = 0, scale = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte & 0x80);
    return value;
  }
  signed() {
    const v = this.number();
    return v % 2 ? -(v + 1) / 2 : v / 2;
  }
  text() {
    const n = this.number();
    this.at += n;
    return new TextDecoder().decode(this.bytes.subarray(this.at - n, this.at));
  }
}

// The first of list[low...] whose value is over t. Looks near low first: those who draw ask in order.
function search(list, value, t, low) {
  let step = 1, high = low;
  while (high < list.length && value[list[high]] <= t) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, list.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value[list[middle]] > t) high = middle;
    else low = middle + 1;
  }
  return low;
}

const FUNCTIONS = 2 ** 31; // from here on calls are those of functions, by the number of their name's text

// A line of the picture: spans that do not overlap, and marks, both by time.
class Row {
  constructor(trace, name, spans, marks) {
    Object.assign(this, { trace, name, spans, marks });
    this.ran = new Float64Array(spans.length + 1); // before span i
    for (let i = 0; i < spans.length; i++)
      this.ran[i + 1] = this.ran[i] + trace.end[spans[i]] - trace.start[spans[i]];
  }
  // The first span, from low on, that ends after t.
  first(t, low = 0) {
    return search(this.spans, this.trace.end, t, low);
  }
  firstMark(t, low = 0) { // times are whole numbers
    return search(this.marks, this.trace.markTime, t - 0.5, low);
  }
  // How long it ran before t.
  ranBefore(t, i = this.first(t)) {
    return this.ran[i] + (i < this.spans.length ? Math.max(0, t - this.trace.start[this.spans[i]]) : 0);
  }
}

// Lists of what belongs to each of `count' owners, in the order it came in.
function lists(owner, count) {
  const size = new Uint32Array(count), made = [];
  for (const o of owner) if (o < count) size[o]++;
  for (let i = 0; i < count; i++) made.push(new Uint32Array(size[i]));
  size.fill(0);
  owner.forEach((o, i) => { if (o < count) made[o][size[o]++] = i; });
  return made;
}

class Trace {
  constructor(base64) {
    const r = new Reader(base64);
    if (r.number() !== 1) throw new Error("another version of the data");
    this.length = Math.max(1, r.number());
    this.cpus = r.number();
    this.kinds = Array.from({ length: r.number() }, () => r.text());
    this.texts = Array.from({ length: r.number() }, () => r.text());
    this.readTasks(r);
    this.readSpans(r);
    this.readMarks(r);
    this.readLost(r);
    this.taskRows = this.rowsOf(this.task, this.markTask, this.tasks.length,
      (i) => `${this.tasks[i].pid} ${this.tasks[i].name}`);
    this.cpuRows = this.rowsOf(this.cpu, this.markCpu, this.cpus, (i) => `CPU ${i}`);
  }
  readTasks(r) {
    this.tasks = [];
    for (let n = r.number(); n > 0; n--) this.tasks.push({ pid: r.signed(), name: r.text() });
    this.byPid = new Map(this.tasks.map((task, i) => [task.pid, i]));
  }
  readSpans(r) {
    const n = r.number();
    this.start = new Float64Array(n);
    this.end = new Float64Array(n);
    this.wait = new Float64Array(n);
    this.task = new Uint32Array(n);
    this.cpu = new Uint16Array(n);
    this.how = new Uint8Array(n);
    this.waker = new Int32Array(n).fill(-1);
    this.taker = new Int32Array(n).fill(-1);
    for (let i = 0, t = 0; i < n; i++) {
      this.start[i] = t += r.number();
      this.end[i] = t + r.number();
      this.task[i] = r.number();
      this.cpu[i] = r.number() - 1;
      const flags = r.number();
      this.how[i] = flags >> 3;
      if (flags & HAS_WAIT) this.wait[i] = r.number();
      if (flags & HAS_WAKER) this.waker[i] = r.number();
      if (flags & HAS_TAKER) this.taker[i] = r.number();
    }
  }
  readMarks(r) {
    const n = r.number();
    this.markTime = new Float64Array(n);
    this.markKind = new Uint8Array(n);
    this.markTask = new Uint32Array(n);
    this.markCpu = new Uint16Array(n);
    this.markOther = new Int32Array(n);
    this.markWhat = new Uint32Array(n);
    for (let i = 0, t = 0; i < n; i++) {
      this.markTime[i] = t += r.signed();
      this.markKind[i] = r.number();
      this.markTask[i] = r.number();
      this.markCpu[i] = r.number() - 1;
      this.markOther[i] = r.signed();
      this.markWhat[i] = r.number();
    }
  }
  readLost(r) {
    this.lost = [];
    for (let n = r.number(); n > 0; n--) {
      const [cpu, start, length, count] = [r.number() - 1, r.number(), r.number(), r.number()];
      this.lost.push({ cpu, start, end: start + length, count });
    }
  }
  rowsOf(owner, markOwner, count, name) {
    const spans = lists(owner, count), marks = lists(markOwner, count);
    return spans.map((list, i) => new Row(this, name(i), list, marks[i]));
  }
  kind(mark) {
    return this.kinds[this.markKind[mark]] || "?";
  }
  // What a mark tells beside its kind.
  markText(mark) {
    const kind = this.kind(mark), other = this.markOther[mark], what = this.markWhat[mark];
    if (kind === "User") return this.texts[what - 1] || "";
    if (what >= FUNCTIONS && (kind === "Call" || kind === "Return")) return this.texts[what - FUNCTIONS - 1] || "";
    if (kind === "Migrate") return `from CPU ${other} to ${this.markCpu[mark]}`;
    return other >= 0 ? `by ${this.who(other)}` : what ? `${what}` : "";
  }
  who(pid) {
    const task = this.byPid.get(pid);
    if (pid === 0) return "an interrupt";
    return task === undefined ? `${pid}` : `${pid} ${this.tasks[task].name}`;
  }
}

// As trace(1) prints times: the largest unit that is exceeded, three decimals.
function timeText(ns) {
  const size = Math.abs(ns);
  if (size > 1e9) return (ns / 1e9).toFixed(3) + "s";
  if (size > 1e6) return (ns / 1e6).toFixed(3) + "ms";
  if (size > 1e3) return (ns / 1e3).toFixed(3) + "\u00b5s";
  return Math.round(ns) + "ns";
}
