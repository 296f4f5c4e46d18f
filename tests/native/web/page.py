"""page DEMO SCRATCH [PICTURES]: uses the page of stats as a person would; a line a check, `ok WHAT' or `FAILED WHAT: ...'.
With PICTURES, a folder, pictures of it are left there."""
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
from browser import Browser  # noqa: E402

DEMO, SCRATCH, PICTURES = (sys.argv[1:] + [""])[:3]
CARD = "document.querySelector('section:nth-of-type(%d) .card:nth-of-type(%d)')"


def check(what, got, want=True):
    print(f"ok {what}" if got == want else f"FAILED {what}: got {got!r}, want {want!r}", flush=True)


def serve(address, *more, one=False):
    env = dict(os.environ, **({"ONE": "1"} if one else {}))
    p = subprocess.Popen(["timeout", "600", DEMO, address, *map(str, more)], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=env)
    return p, p.stdout.readline().strip()


def end(p):
    p.send_signal(signal.SIGINT)
    p.wait(60)


def comes(what, browser, script):
    try:
        browser.wait(script)
        check(what, True)
    except TimeoutError:
        check(what, browser.ask("document.body.innerText.slice(0, 200)"))


def card(b, name, part, machine=1):
    """What a part of the card of a graph says."""
    return b.ask(f"[...document.querySelectorAll('section:nth-of-type({machine}) .card')].find((c) => c.card.name === '{name}')"
                 f".querySelector('{part}').innerText")


def ink(name):
    """Which share of the columns of a graph's picture have something of its colour in their upper 95%: a script."""
    return """(() => {
      const c = [...document.querySelectorAll('.card')].find((c) => c.card.name === '%s').querySelector('canvas');
      const copy = Object.assign(document.createElement('canvas'), {width: c.width, height: c.height}).getContext('2d', {willReadFrequently: true});
      copy.drawImage(c, 0, 0);
      const p = copy.getImageData(0, 0, c.width, c.height).data;
      const grey = (i) => Math.max(p[i], p[i + 1], p[i + 2]) - Math.min(p[i], p[i + 1], p[i + 2]) < 40;
      let n = 0;
      for (let x = 0; x < c.width; x++)
        for (let y = 0; y < c.height * 0.95; y++) {
          const i = 4 * (y * c.width + x);
          if (p[i + 3] > 200 && !grey(i)) { n++; break; }
        }
      return n / c.width; })()""" % name


def inked(b, name):
    return b.ask(ink(name))


FITS = ("document.documentElement.scrollWidth <= innerWidth && "
        "[...document.querySelectorAll('.card .top, header')].every((e) => e.scrollWidth <= e.clientWidth + 1)")


def picture(b, name):
    if PICTURES:
        time.sleep(0.3)
        b.picture(os.path.join(PICTURES, name + ".png"))


def first_look(b, at):
    b.show(f"http://{at}/", 1280, 800)
    comes("it comes alive", b, "document.querySelector('#state').className === 'live'")
    comes("a card a graph, a column a machine", b, "document.querySelectorAll('section').length === 2 && "
          "document.querySelectorAll('.card').length === 80")
    check("its machines", b.ask("[...document.querySelectorAll('section h2 span')].map((e) => e.innerText).join()"), "build-host,board-7")
    check("how many cpus", b.ask("[...document.querySelectorAll('section h2 small')].map((e) => e.innerText).slice(0, 1).join()"), "4 cpus")
    comes("what was before is drawn", b, ink("load") + " > 0.8")
    check("an absent value says why", card(b, "battery", ".why"), "no battery: /sys/class/power_supply has none")
    check("what no machine has is last", b.ask("[...document.querySelectorAll('section:first-of-type .card')].map((e, i, all) => "
          "e.classList.contains('absent') && !document.querySelector(`section:nth-of-type(2) .card:nth-child(${i + 1}):not(.absent)`))"
          ".join().match(/^false(,false)*(,true)*$/) !== null"), True)
    check("and has no number", card(b, "battery", "output"), "\u2013")
    check("and no line", inked(b, "battery"), 0)
    comes("over the top says by how much", b, "[...document.querySelectorAll('.over')].some((e) => /^[12](\\.\\d)? \u00d7 full$/.test(e.innerText))")
    picture(b, "web-desk")
    comes("one that does not answer says since when", b,
          "/^no answer for \\d+ s$/.test(document.querySelector('section:nth-of-type(2) h2 .late').innerText)")
    before = b.ask("document.querySelector('#said').innerText + document.querySelectorAll('output')[1].innerText")
    comes("it goes on", b, f"document.querySelectorAll('output')[1].innerText !== '{before[-8:]}' && "
          "document.querySelector('#state').className === 'live'")


def shapes(b):
    for name, width, height, dark in ("web-phone", 320, 640, False), ("web-phone-dark", 390, 844, True), ("web-tablet", 768, 1024, False), \
            ("web-desk-dark", 1280, 800, True):
        b.shape(width, height, dark)
        comes(f"it fits {width} wide", b, f"innerWidth === {width} && " + FITS)
        comes("its buttons take two rows at most", b, "document.querySelector('#controls').clientHeight <= 90")
        paper = b.ask("getComputedStyle(document.body).backgroundColor")
        check(f"{'dark' if dark else 'light'} as the system is", int(paper[4:].split(",")[0]) < 100, dark)
        picture(b, name)
    b.shape(320, 640)
    comes("machines side by side on a phone", b,
          "innerWidth === 320 && (([a, b]) => a.top === b.top && a.right <= b.left && b.right <= innerWidth)"
                "([1, 2].map((n) => document.querySelector(`section:nth-of-type(${n}) .card`).getBoundingClientRect()))")
    check("buttons are large enough to touch", b.ask("Math.min(...[...document.querySelectorAll('header button, summary')]"
                                                    ".map((e) => e.getBoundingClientRect().height)) >= 36"))
    b.shape(1280, 800)


def keys(b):
    b.ask("document.body.focus()")
    b.key("p")
    comes("p pauses", b, "document.querySelector('#state').className === 'paused'")
    was = card(b, "load", "output")
    time.sleep(0.6)
    check("and nothing moves", card(b, "load", "output"), was)
    b.ask("document.querySelector('.card').focus()")
    b.key("ArrowDown")
    check("down goes to the next graph", b.ask("document.activeElement.card.name"), "ether")
    b.key("ArrowLeft")
    b.key("ArrowLeft", shift=True)
    comes("left looks back", b, "document.querySelectorAll('.card.back').length > 0")
    check("and says when, and what", b.ask("/^\\d\\d:\\d\\d:\\d\\d, [\\d.]+k?\\/s$/.test(document.querySelector('#told').textContent)"))
    picture(b, "web-back")
    b.key("Escape")
    comes("Escape is back", b, "document.querySelectorAll('.card.back').length === 0")
    b.key("p")
    comes("p goes on", b, "document.querySelector('#state').className === 'live'")
    b.key("l")
    comes("l: log axes", b, "document.querySelector('#log').getAttribute('aria-pressed') === 'true'")
    picture(b, "web-log")
    b.key("l")
    b.key("+")
    comes("+: twice the full scale", b, "[...document.querySelectorAll('.full')][1].innerText === 'full 8k'")
    b.key("-")
    b.key("r")
    comes("r: another time", b, "document.querySelector('.axis span').innerText !== '\u22125 min'")
    b.key("r")
    b.key("r")
    b.key("?")
    comes("? explains", b, "document.querySelector('#keys').open")
    picture(b, "web-keys")
    b.ask("document.querySelector('#keys').close()")


def menu(b):
    b.key("g")
    comes("g: the graphs", b, "document.querySelector('#menu').open && document.querySelectorAll('#choice input').length === 40")
    picture(b, "web-menu")
    b.ask("[...document.querySelectorAll('#choice input')].slice(1).forEach((i) => i.click())")
    comes("graphs are dropped", b, "document.querySelectorAll('.card').length === 2")
    check("the last one cannot be", b.ask("[...document.querySelectorAll('#choice input')].filter((i) => i.disabled).map((i) => i.name).join()"), "battery")
    b.call("Page.reload")
    comes("a reload keeps it", b, "document.querySelectorAll('.card').length === 2")
    b.ask("[...document.querySelectorAll('#choice input')].slice(1).forEach((i) => i.click())")
    comes("graphs are added", b, "document.querySelectorAll('.card').length === 80")


def reader(b):
    names = b.names()
    check("a screen reader: every graph has a name and a value",
          len([n for r, n in names if r in ("group", "figure") and ": " in n]) >= 36)
    check("a screen reader: why one is absent", any("absent: no battery" in n for _, n in names))
    check("a screen reader: every button has a name", all(n for r, n in names if r in ("button", "checkbox", "DisclosureTriangle")))
    check("a screen reader: machines are regions", sorted(n for r, n in names if r == "region"), ["board-7", "build-host"])


def comes_back(b, p, at):
    end(p)
    comes("without a server it says so", b, "/^reconnecting, last sample \\d+ s ago$/.test(document.querySelector('#said').innerText)")
    check("and keeps what it has", inked(b, "load") > 0.2)
    picture(b, "web-away")
    p, _ = serve(at, 200, 30)
    comes("it comes back by itself", b, "document.querySelector('#state').className === 'live'")
    end(p)


def one_machine(b):
    p, at = serve(":0", 200, 280, one=True)
    b.show(f"http://{at}/", 1280, 800)
    comes("one machine", b, "document.querySelectorAll('.card').length === 40")
    picture(b, "web-one")
    b.shape(320, 640)
    comes("it fits a phone", b, "innerWidth === 320 && " + FITS)
    picture(b, "web-one-phone")
    end(p)


def main():
    p, at = serve(":0", 200, 280)
    with Browser(os.path.join(SCRATCH, "profile")) as b:
        try:
            first_look(b, at)
            shapes(b)
            keys(b)
            menu(b)
            reader(b)
            comes_back(b, p, at)
            quiet = [s for s in b.said if "ERR_CONNECTION" not in s and "ERR_INCOMPLETE" not in s and "ERR_EMPTY" not in s]
            check("the script has no errors", quiet, [])
            check("it asks nobody else", {u.split("/")[2] for u in b.asked}, {at})
            one_machine(b)
        finally:
            if p.poll() is None:
                end(p)
    print("end")


main()
