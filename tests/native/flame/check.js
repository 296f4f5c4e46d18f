// Uses a flame graph as a person would, in the graph's own document, and writes what came of it into
// the element #said: a line a check, `ok WHAT' or `FAILED WHAT: ...'.
(function () {
  const said = document.getElementById("said"), svg = document.querySelector("svg.flame");
  const line = (text) => said.append(text + "\n");
  const check = (what, got, want) => {
    const same = typeof want === "number" ? Math.abs(got - want) < 0.6 : got === want;
    line(same ? "ok " + what : `FAILED ${what}: got ${got}, want ${want}`);
  };
  const rects = [...svg.querySelectorAll(".rows rect")];
  const named = (name) => rects.find((r) => r.box.name === name);
  const at = (name) => named(name).getBoundingClientRect();
  const shown = (name) => getComputedStyle(named(name)).display !== "none";
  const faded = (name) => +getComputedStyle(named(name)).opacity < 1;
  const click = (e) => e.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const key = (name, more) =>
    (document.activeElement || svg).dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, ...more }));
  const input = svg.querySelector("input"), matched = svg.querySelector(".matched");
  const search = (words) => {
    input.value = words;
    input.dispatchEvent(new Event("input"));
    return matched.textContent;
  };
  const hits = () => rects.filter((r) => r.classList.contains("hit")).map((r) => r.box.name).join(" ");
  const button = (words) => [...svg.querySelectorAll("button")].find((b) => b.textContent === words);
  const details = () => [...svg.querySelectorAll(".head .name, .head .name + text")].map((t) => t.textContent).join("; ");
  const here = () => (svg.querySelector(".at") || { box: { name: "" } }).box.name;
  const labelsFit = () =>
    rects.every((r) => !r.box.text || !r.box.shown || r.box.text.getComputedTextLength() <= r.getBoundingClientRect().width);
  const alone = svg === document.documentElement;
  const room = alone ? svg.clientWidth : svg.parentNode.clientWidth, width = room - 20;

  try {
    check("as wide as its window", at("main").width, width);
    check("a share is a width", at("parse").width, width * 0.5);
    check("siblings by name", at("read").left, at("parse").right);
    check("a callee above its caller", at("malloc").bottom, at("parse").top - 1);
    check("labels are within their boxes", labelsFit(), true);
    check("a long one is cut", rects.some((r) => r.box.text && r.box.text.textContent.endsWith("..")), true);

    const legend = [...svg.querySelectorAll(".legend text")].filter((e) => getComputedStyle(e).display !== "none");
    check("the legend has words, and they fit", legend.length > 1 && legend.every((e) => e.getBBox().x + e.getBBox().width <= room), true);

    click(named("parse"));
    check("zoomed: the whole width", at("parse").width, width);
    check("zoomed: its callees", at("malloc").width, width * 0.4);
    check("zoomed: in their places", Math.round(at("malloc").left - at("parse").left), 0);
    check("zoomed: its callers remain, faded", shown("main") && faded("main") && !faded("parse"), true);
    check("zoomed: over the whole width", at("main").width, width);
    check("zoomed: others are gone", shown("work") || shown("read"), false);
    check("zoomed: labels are within their boxes", labelsFit(), true);
    check("zoomed: a search", search("MALLOC"), "1 matched: 20.00%, 40.00% of the zoomed frame");
    search("");
    click(named("main"));
    check("a caller zooms out", at("parse").width, width * 0.5);
    click(named("malloc"));
    click(button("Reset zoom"));
    check("reset", at("main").width === at("all").width && shown("work") && !faded("main"), true);
    check("reset: as before", at("work").width, width * 0.12);

    check("a search", search("read"), "3 matched: 36.00%");
    check("its matches", hits(), "read sys_read vfs_read");
    check("a recursion counts once", search("work"), "3 matched: 12.00%");
    check("a module", search("libc.so"), "2 matched: 56.00%");
    check("punctuation is text", search("int, char>"), "1 matched: 30.00%");
    check("a regular expression", search("/^(sys_|mall)/"), "2 matched: 56.00%");
    check("its matches", hits(), "malloc sys_read");
    check("one with a capital tells them apart", search("/MALLOC/"), "0 matched: 0.00%");
    check("one that is not finished", search("/(re/"), "0 matched: 0.00%");
    check("is marked", input.classList.contains("wrong"), true);
    check("no search", search("") + hits(), "");
    check("is not marked", input.classList.contains("wrong"), false);

    const before = at("malloc").top - at("main").top;
    click(button("Upside down"));
    check("upside down", Math.round(at("malloc").top - at("main").top), Math.round(-before));
    check("upside down: the same places", at("malloc").width, width * 0.2);
    click(button("Upside down"));
    check("and back", Math.round(at("malloc").top - at("main").top), Math.round(before));

    named("malloc").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    check("details", details(), "malloc; libc.so.6 /src/prog.c; 200 samples, 200.0 ms, 20.00% of all; self 20.00%; 40.00% of its caller");
    named("parse").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    check("the place is the heaviest", details().includes("prog /src/prog.c:11; 500 samples"), true);
    check("titles do not say it again", svg.querySelectorAll(".rows title").length, 0);

    svg.focus();
    key("Escape");
    const moves = [["ArrowUp", "all"], ["ArrowUp", "main"], ["ArrowUp", "parse"], ["ArrowRight", "read"],
      ["ArrowLeft", "parse"], ["ArrowDown", "main"], ["ArrowDown", "all"], ["ArrowDown", "all"], ["ArrowUp", "main"]];
    check("arrows", moves.map(([k]) => (key(k), here())).join(" "), moves.map(([, name]) => name).join(" "));
    key("ArrowUp");
    key("Enter");
    check("Enter zooms", at("parse").width, width);
    key("Escape");
    check("Escape leaves the zoom", at("parse").width, width * 0.5);
    key("/");
    check("/ searches", document.activeElement, input);
    search("read");
    key("Enter");
    check("Enter goes to the widest match", here(), "read");
    key("Enter");
    check("and to the next", here(), "sys_read");
    key("Escape");
    check("Escape ends the search", input.value + hits() + (document.activeElement === input), "false");
    svg.focus();
    key("f", { ctrlKey: true });
    check("Ctrl-F searches", document.activeElement, input);
    key("i");
    check("a letter in the search is a letter", at("malloc").top < at("main").top, true);
    input.blur();
  } catch (e) {
    line("FAILED the script ended: " + e);
  }
  line("end");
})();
