# line_rows.py: the line table of a program, as readelf of any machine shows it. A module for other scripts.
import re, subprocess

ROW = re.compile(r'^(.+?) +(\d+|-) +(?:0x)?([0-9a-f]+)\b')

def rows(program):
    """(file, line, start, end) of each row that has instructions."""
    shown = subprocess.run(['readelf', '--debug-dump=decodedline', '-W', program], capture_output=True, text=True, errors='replace')
    last = None
    for row in shown.stdout.splitlines():
        m = ROW.match(row)
        if not m:
            continue
        at = int(m[3], 16)
        if last and last[2] < at:
            yield *last, at
        last = None if m[2] == '-' else (m[1], int(m[2]), at)
