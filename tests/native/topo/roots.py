"""roots.py FILE: the page of two start functions, of which `program' has most of the time: `ok WHAT' or `FAILED ...'."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "lib"))
from browser import Browser

PLACE = """(() => {
  const id = topo.functions.find((f) => f.name === 'program').id;
  const box = document.querySelector(`g.node[data-id="${id}"] circle`).getBoundingClientRect();
  return box.top > 0 && box.bottom < innerHeight && box.left > 0 && box.right < innerWidth;
})()"""

with tempfile.TemporaryDirectory() as profile, Browser(profile) as b:
    for width, height in (1280, 800), (390, 844):
        b.show("file://" + sys.argv[1], width, height)
        b.wait("window.topo && document.querySelectorAll('#drawing g.node').length")
        b.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        print(f"{'ok' if b.ask(PLACE) else 'FAILED'} {width}x{height}: the start of what takes the time is in view", flush=True)
