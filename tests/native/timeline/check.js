// Uses a timeline of tests/golden/timeline/known.txt as a person would, in its own page, and writes what
// came of it into the element #told: a line a check, `ok WHAT' or `FAILED WHAT: ...'.
(function () {
  const told = document.body.appendChild(document.createElement("pre"));
  told.id = "told";
  told.style.display = "none"; // the page's own layout stays
  const line = (text) => told.append(text + "\n");
  const check = (what, got, want) => {
    const same = typeof want === "number" ? Math.abs(got - want) <= Math.abs(want) * 1e-6 : got === want;
    line(same ? "ok " + what : `FAILED ${what}: got ${got}, want ${want}`);
  };
  const { trace, view, picture, show } = window.timeline;
  const canvas = document.getElementById("picture"), said = document.getElementById("said");
  const search = document.getElementById("search"), matched = document.getElementById("matched");
  const key = (name, more) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, ...more }));
  const row = (name) => view.rows.findIndex((r) => r.name === name);
  const middle = (name) => AXIS + row(name) * view.rowHeight - view.top + view.rowHeight - 8;
  const at = (name, ns) => [picture.x(ns), middle(name)];
  const pointer = (kind, [x, y], more) => {
    const box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new PointerEvent(kind, { clientX: box.left + x, clientY: box.top + y, bubbles: true, pointerId: 1, ...more }));
  };
  canvas.setPointerCapture = () => {};
  const hover = (name, ns) => { pointer("pointermove", at(name, ns)); return said.textContent; };
  const pixel = ([x, y]) => {
    picture.draw();
    const ratio = devicePixelRatio || 1;
    return [...picture.pen.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data].slice(0, 3).join();
  };
  const search_ = (words) => { search.value = words; search.dispatchEvent(new Event("input")); return matched.textContent; };
  const MS = 1e6;

  try {
    check("rows", view.rows.map((r) => r.name).join(), "300 cc1,200 control,100 token-a,301 cc1,101 token-b,102 token-c,7 rcu_preempt,302 make");
    check("all of it", view.to - view.from, 239.99 * MS);
    check("time run", row("200 control") && view.rows[1].ranBefore(trace.length), 62.7 * MS);

    // what is drawn where: control runs from 1.035 ms on for 2.5 ms
    const rgb = (text) => { const pen = document.createElement("canvas").getContext("2d"); pen.fillStyle = text; pen.fillRect(0, 0, 1, 1);
      return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).join(); };
    show(0, 10 * MS);
    check("a run has its task's colour", pixel(at("200 control", 3 * MS)), rgb(picture.task[1]));
    check("sleep has none", pixel(at("200 control", 4.5 * MS)), rgb(picture.paint.paper));
    check("a run begins where it began", pixel(at("200 control", 1.035 * MS - 40000)) === pixel(at("200 control", 3 * MS)), false);
    check("and ends where it ended", pixel(at("200 control", 3.535 * MS + 40000)) === pixel(at("200 control", 3 * MS)), false);

    // what is told of it
    check("of a run", hover("200 control", 2 * MS),
      "200 control; 1.035ms; ran 2.500ms on CPU 0; waited 35.000\u00b5s to run; woken by an interrupt; then slept");
    show(120 * MS, 140 * MS);
    check("of a wait", hover("200 control", 132 * MS).startsWith("waits for a CPU: 200 control"), true);
    show(0, 20 * MS);
    check("of sleep", hover("200 control", 8 * MS).endsWith("asleep"), true);
    check("of a preemption", hover("300 cc1", 2 * MS).endsWith("then was preempted by 301 cc1"), true);
    check("of a mark", (show(89 * MS, 91 * MS), hover("302 make", 89.6 * MS)).startsWith("User; 89.600ms; 302 make; linking"), true);
    check("of a loss", (show(140 * MS, 160 * MS), hover("301 cc1", 152 * MS)).endsWith("512 events of CPU 1 were lost here"), true);

    // keys
    key("0");
    const whole = view.to - view.from;
    key("+");
    check("+ halves", view.to - view.from, whole / 2);
    key("-");
    check("- doubles", view.to - view.from, whole);
    show(100 * MS, 110 * MS);
    key("ArrowRight", { shiftKey: true });
    check("shift and right: a screen", view.from, 110 * MS);
    key("ArrowLeft");
    check("left: a tenth", view.from, 109 * MS);
    key("Home");
    check("Home", view.from, 0);
    key("End");
    check("End", view.to, trace.length);
    key("ArrowDown");
    check("down", view.selected, 1);
    key("]");
    key("[");
    key("0");
    window.timeline.put(0.6 * MS);
    key("]");
    check("] is the next event: the release", view.cursor, 1 * MS);
    key("]");
    check("and the run", view.cursor, 1.035 * MS);
    key("[");
    check("[ goes back", view.cursor, 1 * MS);
    key("c");
    check("c: rows are CPUs", view.rows.map((r) => r.name).join(), "CPU 0,CPU 1");
    show(0, 10 * MS);
    check("with their tasks' colours", pixel(at("CPU 0", 3 * MS)), rgb(picture.task[1]));
    const covered = view.rows[0].ranBefore(trace.length), rows = trace.taskRows;
    check("a CPU's time is its tasks'", covered + view.rows[1].ranBefore(trace.length), rows.reduce((sum, r) => sum + r.ranBefore(trace.length), 0));
    key("c");
    show(130 * MS, 139 * MS);
    key("o");
    check("o: the busiest first", view.rows.slice(0, 3).map((r) => r.name).join(), "200 control,300 cc1,301 cc1");
    key("o");
    check("and as they came", view.rows[0].name, "300 cc1");
    key("l");
    check("l: low rows", view.rowHeight, 15);
    key("l");
    key("?");
    check("help", document.getElementById("help").hidden, false);
    check("help has every key", document.querySelectorAll("#help dt").length === document.querySelectorAll("#help dd").length &&
      [...document.querySelectorAll("#help dt")].map((e) => e.textContent).includes("/ n N"), true);
    key("Escape");
    check("and away", document.getElementById("help").hidden, true);

    // search
    check("a task", search_("TOKEN"), "3 rows, 0 marks");
    document.getElementById("only").click();
    check("only these", view.rows.length, 3);
    document.getElementById("only").click();
    check("a mark", search_("linking"), "0 rows, 1 mark");
    key("Home");
    view.cursor = -1;
    key("n");
    check("n moves there", view.cursor, 89.6 * MS);
    check("and tells", said.textContent.includes("linking"), true);
    check("nothing", search_("xyzzy"), "0 rows, 0 marks");
    check("a regular expression", search_("/^10[01] TOKEN/"), "0 rows, 0 marks");
    check("without capitals matches both cases", search_("/^10[01] token|^user link/"), "2 rows, 1 mark");
    check("one that is not finished", search_("/(10"), "0 rows, 0 marks");
    check("is marked", search.classList.contains("wrong"), true);
    check("no search", search_(" "), "");
    check("is not marked", search.classList.contains("wrong"), false);

    // the mouse
    show(0, 100 * MS);
    pointer("pointerdown", [700, 200], { shiftKey: true });
    pointer("pointermove", [700 + picture.width / 10, 200]);
    pointer("pointerup", [700 + picture.width / 10, 200]);
    check("shift and drag measures", said.textContent.startsWith("10.000ms measured"), true);
    key("z");
    check("z zooms to it", view.to - view.from, 10 * MS);
    show(50 * MS, 100 * MS);
    pointer("pointerdown", [700, 200]);
    pointer("pointermove", [700 + picture.width / 10, 200]);
    pointer("pointerup", [700 + picture.width / 10, 200]);
    check("a drag moves", view.from, 45 * MS);
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -150, ctrlKey: true, clientX: canvas.getBoundingClientRect().left + LABELS, cancelable: true }));
    check("ctrl and wheel zoom", view.to - view.from, 50 * MS * Math.exp(-0.5));
    check("around the mouse", view.from, 45 * MS);

    check("a narrow column is shared", (() => { show(0, trace.length); picture.draw(); return picture.load.length > 100; })(), true);
  } catch (e) {
    line("FAILED to its end: " + e.stack.replace(/\n/g, " "));
  }
  line("end");
})();
