#!/usr/bin/env python3
"""picture.py < CAPTURE > SVG: a terminal's screen as a picture. CAPTURE is what `tmux capture-pane -e -p' says."""
import re, sys, unicodedata
from xml.sax.saxutils import escape

WIDTH, HEIGHT, MARGIN = 8.4, 18, 10
BASIC = ["#1d1f21", "#cc6666", "#9fbb58", "#e0b860", "#6f9fd8", "#b294bb", "#70c0b1", "#d0d0d0",
         "#808080", "#ff7b72", "#b5d96c", "#ffd479", "#8cb8ff", "#d6a8e0", "#8fe0d0", "#ffffff"]
GROUND, INK = "#15171a", "#d0d0d0"
LEVELS = [0, 95, 135, 175, 215, 255]


def colour(n):
    if n < 16:
        return BASIC[n]
    if n < 232:
        n -= 16
        return "#%02x%02x%02x" % tuple(LEVELS[i] for i in (n // 36, n // 6 % 6, n % 6))
    return "#%02x%02x%02x" % ((8 + (n - 232) * 10,) * 3)


class Pen:
    def __init__(self):
        self.fg = self.bg = None
        self.bold = self.reverse = False

    def take(self, text):
        codes = [int(c or 0) for c in text.split(";")]
        while codes:
            c = codes.pop(0)
            if c == 0:
                self.__init__()
            elif c == 1:
                self.bold = True
            elif c == 7:
                self.reverse = True
            elif c in (38, 48):
                codes.pop(0)
                setattr(self, "fg" if c == 38 else "bg", colour(codes.pop(0)))
            elif c in (39, 49):
                setattr(self, "fg" if c == 39 else "bg", None)
            elif 30 <= c < 38 or 90 <= c < 98:
                self.fg = colour(c - 30 if c < 90 else c - 82)
            elif 40 <= c < 48 or 100 <= c < 108:
                self.bg = colour(c - 40 if c < 100 else c - 92)

    def inks(self):
        ink, ground = self.fg or INK, self.bg or GROUND
        return (ground, ink) if self.reverse else (ink, ground)


def block(rune, x, y):
    """The part of a cell that a block element fills."""
    part = 8 - (ord(rune) - 0x2580)
    if not 0 <= part < 8:
        return None
    return x, y + HEIGHT * part / 8, WIDTH, HEIGHT * (8 - part) / 8


def rect(x, y, w, h, fill):
    return '<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s"/>' % (x, y, w + 0.3, h + 0.3, fill)


def row(line, y, pen, out):
    x, run, at = MARGIN, "", None
    cells = []
    for piece in re.split("(\x1b\\[[0-9;]*m)", line):
        if piece.startswith("\x1b["):
            pen.take(piece[2:-1])
            continue
        cells += [(rune, pen.inks(), pen.bold) for rune in piece]
    for rune, (ink, ground), bold in cells:
        if ground != GROUND:
            out.append(rect(x, y, WIDTH, HEIGHT, ground))
        shape = block(rune, x, y)
        if shape:
            out.append(rect(*shape, ink))
        elif rune == "─":
            out.append(rect(x, y + HEIGHT / 2, WIDTH, 1, ink))
        elif rune != " ":
            out.append('<text x="%.2f" y="%.2f" fill="%s"%s>%s</text>' % (
                x, y + HEIGHT * 0.75, ink, ' font-weight="bold"' if bold else "", escape(rune)))
        x += WIDTH * (2 if unicodedata.east_asian_width(rune) in "WF" else 1)
    return x


def merged(out):
    """Rectangles of one row and colour that touch become one; so do letters of a word."""
    kept = []
    pattern = re.compile('<rect x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)" fill="(.*)"/>')
    letter = re.compile('<text x="([0-9.]+)" y="([0-9.]+)" (.*?)>(.*)</text>')
    for item in out:
        a, b = pattern.match(kept[-1]) if kept else None, pattern.match(item)
        if a and b and a.group(2, 4, 5) == b.group(2, 4, 5) and abs(float(a[1]) + float(a[3]) - 0.3 - float(b[1])) < 0.05:
            kept[-1] = rect(float(a[1]), float(a[2]), float(a[3]) + float(b[3]) - 0.6, float(a[4]) - 0.3, a[5])
            continue
        kept.append(item)
    words, end = [], None
    for item in kept:
        b = letter.match(item)
        if b and end and end == (round(float(b[1]), 1), b[2], b[3]):
            words[-1] = words[-1][:-len("</text>")] + b[4] + "</text>"
        else:
            words.append(item)
        end = (round(float(b[1]) + WIDTH, 1), b[2], b[3]) if b else None
    return words


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    out, pen, right = [], Pen(), 0
    for i, line in enumerate(lines):
        right = max(right, row(line, MARGIN + i * HEIGHT, pen, out))
    width, height = right + MARGIN, 2 * MARGIN + len(lines) * HEIGHT
    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" '
          'font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" xml:space="preserve">' % (width, height))
    print('<rect width="100%%" height="100%%" rx="6" fill="%s"/>' % GROUND)
    print("\n".join(merged(out)))
    print("</svg>")


main()
