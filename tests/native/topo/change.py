"""change.py FILE: the page of two collections, of which the second takes three times as long in one function: `ok WHAT' or `FAILED ...'."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "lib"))
from browser import Browser

COLOUR = "document.querySelector(`g.node[data-id=\"${%s}\"] circle`).getAttribute('fill')"


def check(what, got, want=True):
    print(f"ok {what}" if got == want else f"FAILED {what}: got {got!r}, want {want!r}", flush=True)


with tempfile.TemporaryDirectory() as profile, Browser(profile) as b:
    b.show("file://" + sys.argv[1], 1280, 800)
    b.wait("window.topo && document.querySelectorAll('#drawing g.node').length")
    same, more, new = (b.ask(f"topo.functions.find((f) => f.name === '{n}').id") for n in ("getf", "strncpy", "xc_sync_new"))
    b.ask("change.click()")
    b.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    check("as before is in the middle", b.ask(COLOUR % same), "rgb(212,167,20)")
    check("three times as long is red", b.ask(COLOUR % more), "rgb(215,58,73)")
    check("new is red", b.ask(COLOUR % new), "rgb(215,58,73)")
    b.ask(f"topo.select({more})")
    words = b.ask("[...details.querySelectorAll('tr')].map((e) => e.textContent)")
    check("the details say so", [w for w in words if w.startswith("Total ")], ["Total before155.4 \u00b5s", "Total change+200.0%"])
    check("the choice is in the address", "change=1" in b.ask("new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(() => d(location.hash))))"))
    check("nothing is wrong with it", b.said, [])
