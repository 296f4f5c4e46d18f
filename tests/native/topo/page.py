"""page.py FILE FUNCTIONS: everything a person can do with the page of a call graph: `ok WHAT' or `FAILED WHAT: ...', and figures."""
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "lib"))
from browser import Browser

FILE, COUNT = sys.argv[1], int(sys.argv[2])
SHOWN = min(150, COUNT)

# How often a line is inside a name, of so many lines; the lines of PATHS are seen as points 3 pixels apart.
CROSSED = """((paths) => {
  const names = [...document.querySelectorAll("#drawing text")].map((e) => e.getBBox());
  let crossed = 0, points = 0;
  for (const path of document.querySelectorAll(paths))
    for (let at = 0, length = path.getTotalLength(); at < length; at += 3, points++) {
      const p = path.getPointAtLength(at);
      crossed += names.some((n) => p.x > n.x && p.x < n.x + n.width && p.y > n.y + 3 && p.y < n.y + n.height - 3);
    }
  return [points > 0, crossed];
})"""
OVERLAPS = """(() => {
  const boxes = [...document.querySelectorAll("#drawing g.node")].map((g) => g.querySelector("circle").getBBox())
    .concat([...document.querySelectorAll("#drawing text")].map((e) => e.getBBox()));
  let found = 0;
  boxes.forEach((a, i) => { for (const b of boxes.slice(0, i))
    found += a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y + 2 < b.y + b.height - 2 && b.y + 2 < a.y + a.height - 2; });
  return found;
})()"""


def check(what, got, want=True):
    print(f"ok {where}: {what}" if got == want else f"FAILED {where}: {what}: got {got!r}, want {want!r}", flush=True)


def mouse(kind, x, y, buttons=1, **more):
    b.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if buttons or kind == "mouseReleased" else "none", buttons=buttons,
           clickCount=more.pop("clicks", 1), **more)


def drag(x, y, dx, dy):
    mouse("mousePressed", x, y)
    for i in range(1, 6):
        mouse("mouseMoved", x + dx * i / 5, y + dy * i / 5)
    mouse("mouseReleased", x + dx, y + dy, 0)


def click(x, y, clicks=1):
    for n in range(1, clicks + 1):
        mouse("mousePressed", x, y, clicks=n)
        mouse("mouseReleased", x, y, 0, clicks=n)


def circle(id):
    return b.ask(f"""(() => {{ const r = document.querySelector('g.node[data-id="{id}"] circle').getBoundingClientRect();
      return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")


def frame():
    b.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")


def press(key, ctrl=False, shift=False):
    text = key if len(key) == 1 and not ctrl else ""
    for kind in "keyDown", "keyUp":
        b.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "", modifiers=2 * ctrl + 8 * shift)
    frame()


def shown():
    return b.ask("document.querySelectorAll('#drawing g.node').length")


def selected():
    return b.ask("topo.state.selected")


def root():
    return b.ask("[...topo.nodes().values()].find((n) => n.parent < 0).id")


def opened(width, height, dark=False, at=""):
    b.call("Page.navigate", url="about:blank")
    b.show("file://" + FILE + at, width, height, dark, 1)
    b.wait("window.topo && document.querySelectorAll('#drawing g.node').length")
    frame()


def first_picture():
    check("the functions are drawn", shown(), SHOWN)
    folded = b.ask("[...topo.nodes().values()].reduce((sum, n) => sum + n.more, 0)")
    check("the others are counted", folded, COUNT - SHOWN)
    check("no line crosses a name", b.ask(CROSSED + "('#drawing path')"), [True, 0])
    check("nothing overlaps", b.ask(OVERLAPS), 0)
    check("the start is in view", (lambda p: 0 < p[0] < 1280 and 0 < p[1] < 800)(circle(root())))


def view():
    v = b.ask("[topo.view.x, topo.view.y, topo.view.scale]")
    return [round(v[0]), round(v[1]), round(v[2], 4)]


def pointer():
    before = view()
    x, y = 640, 60 + 20
    drag(x, y, 30, 40)
    after = view()
    check("dragging pans", [after[0] - before[0], after[1] - before[1]], [30, 40])
    drag(x, y, -30, -40)
    at = circle(root())
    b.call("Input.dispatchMouseEvent", type="mouseWheel", x=at[0], y=at[1], deltaX=0, deltaY=-120)
    frame()
    check("the wheel zooms", round(view()[2] / before[2], 3), 1.35)
    now = circle(root())
    check("around the pointer", abs(now[0] - at[0]) < 1 and abs(now[1] - at[1]) < 1)
    b.call("Input.dispatchMouseEvent", type="mouseWheel", x=at[0], y=at[1], deltaX=0, deltaY=120)
    frame()
    check("and back", view(), before)


def details():
    at = circle(root())
    click(*at)
    frame()
    check("a click selects", selected(), root())
    check("the details are shown", b.ask("!details.hidden && details.querySelector('h2').textContent"), b.ask(f"topo.functions[{root()}].name"))
    words = b.ask("[...details.querySelectorAll('th')].map((e) => e.textContent)")
    check("with its numbers", [w in words for w in ("Calls", "Total", "Local")], [True] * 3)
    overlap = """((a, d) => Math.max(0, Math.min(a.right, d.right) - Math.max(a.left, d.left)) *
      Math.max(0, Math.min(a.bottom, d.bottom) - Math.max(a.top, d.top)))(drawing.getBoundingClientRect(), details.getBoundingClientRect())"""
    check("they do not cover the drawing", b.ask(overlap), 0)
    check("nothing is wider than the window", b.ask("document.documentElement.scrollWidth <= innerWidth"))
    callee = b.ask("[...details.querySelectorAll('td.name button')].pop().textContent")
    b.ask("[...details.querySelectorAll('td.name button')].pop().click()")
    frame()
    check("a name of its lists selects", b.ask("topo.functions[topo.state.selected].name"), callee)


def keys():
    b.ask("drawing.focus()")
    press("Escape")
    check("Escape deselects", selected(), -1)
    press("ArrowRight")
    first = selected()
    check("an arrow key selects", first, root())
    press("ArrowRight")
    check("right: a callee", b.ask(f"topo.nodes().get({selected()}).parent"), first)
    second = selected()
    column = f"[...topo.nodes().values()].filter((n) => n.depth === topo.nodes().get({second}).depth).length"
    press("ArrowDown")
    press("ArrowUp")
    check("down and up", b.ask(column) == 1 or selected() != first)
    press("ArrowLeft")
    check("left: its caller", selected(), first)
    scale = view()[2]
    press("+")
    check("plus zooms", round(view()[2] / scale, 2), 1.5)
    press("-")
    x = view()[0]
    press("ArrowRight", shift=True)
    check("shift and an arrow pan", view()[0] - x, -60)
    press("0")
    box = b.ask("(({ x, y, right, bottom }) => [x, y, right, bottom])(document.querySelector('#drawing > g').getBoundingClientRect())")
    inside = b.ask("(({ x, y, right, bottom }) => [x, y, right, bottom])(drawing.getBoundingClientRect())")
    check("0 fits all", box[0] >= inside[0] - 1 and box[1] >= inside[1] - 1 and box[2] <= inside[2] + 8 and box[3] <= inside[3] + 1)
    press(" ")
    check("space folds", [shown(), b.ask(f"topo.nodes().get({first}).more")], [1, COUNT - 1])
    press(" ")
    check("and unfolds", shown(), SHOWN)
    press("?")
    check("? shows the keys", b.ask("!help.hidden && document.querySelectorAll('#help dt').length > 10"))
    press("Escape")
    check("Escape closes them", b.ask("help.hidden"))


def focus():
    opened(1280, 800)
    b.ask("drawing.focus()")
    press("ArrowRight")
    press("ArrowRight")
    inner = selected()
    click(*circle(inner), clicks=2)
    frame()
    check("a double click focuses", [b.ask("topo.state.focus"), root()], [inner, inner])
    check("its lines cross no name", b.ask(CROSSED + "('#drawing path:not(.other)')")[1], 0)
    press("Enter")
    check("Enter leaves it", b.ask("topo.state.focus"), -1)


def relations():
    press("Escape")
    few = b.ask("document.querySelectorAll('#drawing path').length")
    press("a")
    many = b.ask("document.querySelectorAll('#drawing path').length")
    shown_ones = "[...topo.nodes().values()].reduce((s, n) => s + n.f.callees.filter((c) => c.id !== n.id && topo.nodes().has(c.id)).length, 0)"
    check("a: all relations", [few, many], [SHOWN - 1, b.ask(shown_ones)])
    press("a")


def threshold():
    press("[")
    check("[: fewer functions", shown() < SHOWN)
    press("]")
    check("]: more", shown(), SHOWN)
    b.ask("limit.value = 0, limit.dispatchEvent(new Event('input'))")
    frame()
    check("the slider", shown(), 5)
    check("says from which share", "%" in b.ask("limited.textContent"))
    b.ask("limit.value = limit.max, limit.dispatchEvent(new Event('input'))")
    frame()
    check("up to all", shown(), COUNT)
    b.ask(f"topo.state.limit = {SHOWN}; topo.update()")
    frame()


def search():
    name = b.ask("topo.functions[topo.functions.length - 1].name")
    press("/")
    check("/ goes to the search", b.ask("document.activeElement.id"), "search")
    b.call("Input.insertText", text=name)
    frame()
    check("it counts", b.ask("matched.textContent"), "1 function")
    press("Enter")
    check("Enter selects what is found", b.ask("topo.functions[topo.state.selected].name"), name)
    check("and draws it", b.ask("document.querySelector('g.node.selected').classList.contains('found')"))
    press("Escape")
    check("Escape ends it", b.ask("document.activeElement.id + matched.textContent"), "drawing")


def moving():
    opened(1280, 800)
    start = root()
    at = circle(start)
    drag(*at, 40, 25)
    frame()
    now = circle(start)
    check("dragging moves a function", [round(now[0] - at[0]), round(now[1] - at[1])], [40, 25])
    b.ask("drawing.focus()")
    click(*now)
    press("ArrowDown", ctrl=True)
    moved = b.ask("location.hash")
    check("its place is in the address", f"moved={start}:" in moved)
    last, other = circle(start), circle(start + 1)
    opened(1280, 800, at=moved)
    again, beside = circle(start), circle(start + 1)
    check("and is the same again", [round(a - b - (c - d)) for a, b, c, d in zip(again, beside, last, other)], [0, 0])
    b.ask("drawing.focus()")
    press("r")
    check("r: back", "moved" in b.ask("location.hash"), False)
    for bad in "#moved=9999999:1:1.-3:2:2.x&focus=-7&selected=88888888&limit=0&folded=.9.9999999", "#%00&&==&moved", "#limit=99999999999999999":
        opened(1280, 800, at=bad)
        check("an address of nonsense", shown() > 0)


def touch(kind, *points):
    b.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])


def phone():
    b.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    opened(390, 844)
    check("nothing is wider than the window", b.ask("document.documentElement.scrollWidth <= innerWidth"))
    check("the drawing has most of the window", b.ask("drawing.getBoundingClientRect().height > innerHeight * 0.6"))
    scale = view()[2]
    touch("touchStart", (150, 400), (250, 400))
    touch("touchMove", (100, 400), (300, 400))
    touch("touchEnd")
    frame()
    check("two fingers zoom", round(view()[2] / scale, 2), 2.0)
    before = view()
    touch("touchStart", (300, 700))
    touch("touchMove", (290, 690))
    touch("touchMove", (250, 650))
    touch("touchEnd")
    frame()
    check("one pans", [view()[0] - before[0], view()[1] - before[1]], [-50, -50])
    opened(390, 844, at=f"#selected={root()}")
    check("the details leave the drawing its place", b.ask("drawing.getBoundingClientRect().height > innerHeight * 0.35"))
    details()
    b.call("Emulation.setTouchEmulationEnabled", enabled=False)


with tempfile.TemporaryDirectory() as profile, Browser(profile) as b:
    where = f"{COUNT} functions"
    began = time.monotonic()
    opened(1280, 800)
    print(f"figures: {COUNT} functions: first picture {b.ask('Math.round(performance.now())')} ms after the page began", flush=True)
    first_picture()
    pointer()
    details()
    keys()
    focus()
    relations()
    threshold()
    search()
    moving()
    where += ", phone"
    phone()
    where = f"{COUNT} functions, dark"
    opened(1280, 800, True)
    check("the paper is dark", b.ask("getComputedStyle(document.body).backgroundColor"), "rgb(20, 22, 27)")
    where = f"{COUNT} functions"
    check("it has a name for screen readers", any(role == "application" and name.startswith("Call graph") for role, name in b.names()))
    check("nothing is wrong with it", b.said, [])
    check("nothing was asked of the network", [u for u in b.asked if not u.startswith(("file:", "about:", "data:"))], [])
print("end")
