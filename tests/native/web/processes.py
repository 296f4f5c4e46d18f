"""processes.py URL PID PROFILE [PICTURES]: the table of processes on the page of `stats --web --processes'. The process PID, whose
name is burn, ESC, [2J, <i> and a quote, is in it as text. A line a check; with PICTURES, a folder, pictures are left there."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
sys.dont_write_bytecode = True
from browser import Browser  # noqa: E402

URL, PID, PROFILE, PICTURES = (sys.argv[1:] + [""])[:4]
NAME = 'burn\x1b[2J<i>"'
ROW = f"[...document.querySelectorAll('.processes tbody tr')].find((r) => r.cells[0].textContent === '{PID}')"


def check(what, got, want=True):
    print(f"ok {what}" if got == want else f"FAILED {what}: got {got!r}, want {want!r}", flush=True)


def try_page(b, width, height, dark):
    where = f"{width} wide, {'dark' if dark else 'light'}: "
    b.shape(width, height, dark)
    b.wait(f"!!{ROW}")
    check(where + "its name is text", b.ask(f"{ROW}.lastChild.textContent"), NAME)
    check(where + "and no element", b.ask("document.querySelectorAll('.processes td *').length"), 0)
    check(where + "it used CPU time", b.ask(f"parseFloat({ROW}.cells[1].textContent) > 1"))
    check(where + "the most comes first", b.ask(
        "((t) => t.length > 1 && t.every((n, i) => !i || t[i - 1] >= n))([...document.querySelectorAll('.processes tbody tr')]"
        ".map((r) => parseFloat(r.cells[1].textContent)))"))
    check(where + "nothing is wider than the page", b.ask("document.documentElement.scrollWidth"), width)
    check(where + "the table fits its card", b.ask(
        "((c) => c.scrollWidth <= c.clientWidth)(document.querySelector('.processes'))"))
    check(where + "letters and paper differ", b.ask(
        "getComputedStyle(document.querySelector('.processes td')).color !== getComputedStyle(document.body).backgroundColor"))
    if PICTURES:
        b.picture(f"{PICTURES}/stats-processes-{width}-{'dark' if dark else 'light'}.png")


with Browser(PROFILE) as browser:
    browser.show(URL, 1280, 800)
    try_page(browser, 1280, 800, False)
    try_page(browser, 1280, 800, True)
    try_page(browser, 390, 844, False)
    check("the page says nothing on its console", browser.said, [])
