"""phone.py FILE: a flame graph on a phone, whose page is wider than its screen: `ok WHAT' or `FAILED WHAT: ...'."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "lib"))
from browser import Browser


def check(what, got, want):
    print(f"ok {what}" if got == want else f"FAILED {what}: got {got}, want {want}")


with tempfile.TemporaryDirectory() as profile, Browser(profile) as b:
    b.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    for dark in False, True:
        b.show("file://" + sys.argv[1], 390, 844, dark)
        b.wait("document.querySelector('.legend')")
        check("it is laid out for the screen", b.ask("document.documentElement.viewBox.baseVal.width"), 390)
        check("over the whole page", b.ask("Math.round(document.documentElement.getBoundingClientRect().width) === document.documentElement.clientWidth"), True)
        check("the legend fits", b.ask("[...document.querySelectorAll('.legend text')].every((e) => getComputedStyle(e).display === 'none' || "
                                       "e.getBBox().x + e.getBBox().width <= 390)"), True)
    check("nothing is wrong with it", b.said, [])
