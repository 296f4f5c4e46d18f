"""late.py FILE PID AT TOOK: the page of a timeline that a late wake-up stopped, wide and on a phone: it opens there, and its labels
leave room for the picture. A line a check, `ok WHAT' or `FAILED WHAT: ...'."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "lib"))
from browser import Browser

FILE, PID, AT, TOOK = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

# Every text that is drawn in the column of labels: [text, left end, right end].
DRAWN = """(() => {
  const { picture } = timeline, pen = picture.pen, fill = pen.fillText, texts = [];
  pen.fillText = (text, x, y) => {
    const wide = pen.measureText(text).width, left = x - (pen.textAlign === "right" ? wide : pen.textAlign === "center" ? wide / 2 : 0);
    if (y > AXIS && x < picture.labels) texts.push([text, left, left + wide]);
    fill.call(pen, text, x, y);
  };
  picture.draw();
  pen.fillText = fill;
  return texts;
})()"""


def check(what, got, want=True):
    print(f"ok {what}" if got == want else f"FAILED {what}: got {got!r}, want {want!r}", flush=True)


def opens(b, where):
    view = b.ask("(({ from, to, cursor, selected, rows }) => ({ from, to, cursor, row: rows[selected].name }))(timeline.view)")
    check(f"{where}: the wait and some time around it are shown", [round(view["from"]), round(view["to"])],
          [max(0, AT - 3 * TOOK), AT + 2 * TOOK])
    check(f"{where}: the cursor is at its end", view["cursor"], AT)
    check(f"{where}: its task is marked", view["row"].split()[0], PID)
    check(f"{where}: its row is on the screen", b.ask(
        "(({ view, picture }) => { const y = view.selected * view.rowHeight - view.top;"
        " return y >= 0 && y + view.rowHeight <= picture.canvas.clientHeight - AXIS + 1; })(timeline)"))
    check(f"{where}: it is on the screen", b.ask(f"((p) => p.x({AT}) > p.labels && p.x({AT}) < p.canvas.clientWidth)(timeline.picture)"))


def labels(b, where, width, wide):
    check(f"{where}: labels take {width} of {wide} pixels", b.ask("[timeline.picture.labels, timeline.picture.canvas.clientWidth]"), [width, wide])
    drawn = b.ask(DRAWN)
    check(f"{where}: each row has one", len([text for text, _, _ in drawn if text.split()[0].isdigit()]) >= 5)
    check(f"{where}: none is wider", [text for text, left, right in drawn if left < 0 or right > width], [])


with tempfile.TemporaryDirectory() as profile, Browser(profile) as b:
    for where, width, wide, high in ("wide", 220, 1280, 800), ("phone", 96, 390, 844):
        b.show("file://" + FILE, wide, high)
        b.wait(f"document.readyState === 'complete' && timeline.picture.canvas.clientWidth === {wide}")
        opens(b, where)
        labels(b, where, width, wide)
        check(f"{where}: it is not scrolled sideways", b.ask("document.documentElement.scrollWidth <= innerWidth"))
        if b.ask("!!document.getElementById('delays')"):
            row = b.ask("(() => { const row = document.querySelectorAll('#delays tr[data-at]')[1]; row.click();"
                        " return { ...row.dataset, open: row.className }; })()")
            view = b.ask("(({ from, to, cursor, selected, rows }) => ({ from, to, cursor, row: rows[selected].name }))(timeline.view)")
            check(f"{where}: a row of the list leads to its place", [view["cursor"], view["row"].split()[0], row["open"]],
                  [int(row["at"]), row["pid"], "open"])
            check(f"{where}: the wait is in view", view["from"] <= int(row["at"]) - int(row["took"]) and view["to"] > int(row["at"]))
    b.shape(1280, 800)
    b.wait("timeline.picture.canvas.clientWidth === 1280")
    labels(b, "turned", 220, 1280)
    check("nothing is wrong with it", b.said, [])
