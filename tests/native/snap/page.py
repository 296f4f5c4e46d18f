"""page SNAP PAGE: a person's selections on the page of a recording, and whether the flame graph has as many samples as the recording has in
that time and of that thread. Prints `ok WHAT' and `FAILED WHAT' lines."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["TESTS"], "lib"))
import known
from browser import Browser

found = known.streams(sys.argv[1])
facts = known.facts(found)
begin, end = int(facts["begin_mono_ns"]), int(facts["end_mono_ns"])
samples = [(time - begin, tid, cpu) for time, tid, cpu in known.samples(found) if begin <= time < end]


def check(what, got, want):
    print("ok" if got == want else "FAILED", what, "" if got == want else f"got {got}, want {want}", flush=True)


def count(view, only=lambda s: True):
    low, high = view if view else (0, end - begin)
    return sum(low <= s[0] < high and only(s) for s in samples)


def shown(b):
    """How many samples the flame graph says it has."""
    b.wait("window.snap && snap.shown() && !snap.pending()")
    text = b.ask("(document.querySelector('#flame .head .small') || document.querySelector('#flame p')).textContent")
    return int(text.split()[0]) if text[0].isdigit() else 0


def mouse(b, points):
    for kind, (x, y) in zip(["mousePressed"] + ["mouseMoved"] * (len(points) - 2) + ["mouseReleased"], points):
        b.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)


def touch(b, points):
    for kind, (x, y) in zip(["touchStart"] + ["touchMove"] * (len(points) - 2), points):
        b.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}])
    b.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def place(b):
    return b.ask("(() => { const r = document.getElementById('picture').getBoundingClientRect(); return [r.left, r.top, timeline.picture.labels, timeline.picture.width]; })()")


def drag(b, how, low, high):
    left, top, labels, width = place(b)
    xs = [left + labels + width * share for share in (low, (low + high) / 2, high, high)]
    how(b, [(x, top + 60) for x in xs])
    return b.ask("timeline.view.range")


def try_wide(b, dark):
    name = "dark: " if dark else "light: "
    b.show("file://" + sys.argv[2], width=1280, height=900, dark=dark, scale=1)
    check(name + "all samples are counted", shown(b), count(None))
    for low, high in (0.2, 0.5), (0.45, 0.47), (0.9, 1):
        view = drag(b, mouse, low, high)
        check(name + f"a time from {low} to {high} is selected", bool(view) and view[0] < view[1], True)
        check(name + "its samples are counted", shown(b), count(view))
    left, top, labels, width = place(b)
    mouse(b, [(left + 20, top + 35), (left + 20, top + 35)])
    tid = b.ask("Number(timeline.view.rows.find((r) => r.picked).name.split(' ')[0])")
    check(name + "a click on a name: those of the thread", shown(b), count(b.ask("timeline.view.range"), lambda s: s[1] == tid))
    b.key("Escape")
    check(name + "Esc: of all time", shown(b), count(None, lambda s: s[1] == tid))
    b.key("f")
    check(name + "f: of all threads", shown(b), count(None))
    b.key("c")
    b.key("f")
    cpu = b.ask("Number(timeline.view.rows.find((r) => r.picked).name.split(' ')[1])")
    check(name + "of a CPU", shown(b), count(None, lambda s: s[2] == cpu))
    b.ask("document.getElementById('everyone').click()")
    left, top, labels, width = place(b)
    mouse(b, [(left + labels + width * 0.3, top + 60)] * 2)
    b.key("b")
    mouse(b, [(left + labels + width * 0.6, top + 60)] * 2)
    check(name + "a click clears the selection", b.ask("timeline.view.range"), None)
    b.key("e")
    view = b.ask("timeline.view.range")
    check(name + "e: from the beginning to the cursor", shown(b), count(view))
    b.ask("document.getElementById('whole').click()")
    check(name + "the button: all of it", shown(b), count(None))
    check(name + "the stacks have frames", b.ask("document.querySelectorAll('#flame .rows rect').length > 10"), True)
    check(name + "nothing is wider than the page", b.ask("document.documentElement.scrollWidth"), 1280)


def try_narrow(b):
    b.show("file://" + sys.argv[2], width=390, height=844, scale=2)
    b.call("Emulation.setTouchEmulationEnabled", enabled=True)
    check("phone: all samples are counted", shown(b), count(None))
    view = drag(b, touch, 0.25, 0.75)
    check("phone: a finger selects", bool(view) and view[0] < view[1], True)
    check("phone: its samples are counted", shown(b), count(view))
    check("phone: nothing is wider than the page", b.ask("document.documentElement.scrollWidth"), 390)


with tempfile.TemporaryDirectory() as profile, Browser(profile) as browser:
    try_wide(browser, False)
    try_wide(browser, True)
    try_narrow(browser)
    check("nothing is wrong", browser.said, [])
    check("nothing is loaded", [u for u in browser.asked if not u.startswith(("file:", "about:", "data:"))], [])
print("end")
