# coverage_truth.py RECORDING CALLGRIND PROGRAM INFO: counts of prof --coverage compared with those of callgrind (--dump-instr=yes
# --dump-line=no --compress-pos=no) in PROGRAM's .text. Callgrind leaves stubs of the linker and .init without a file. Prints:
# executed instructions of either, those whose counts differ, executions, lines of the trace file INFO, and those whose count is not
# the highest one that callgrind has of the line's instructions. A function's first instruction counts for the line of its name, and
# a line of functions alone has the count of its calls. Standard error names what differs.
import os, re, subprocess, sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTS + '/lib')
sys.dont_write_bytecode = True
from line_rows import rows

def recorded(path, program):
    counts, inside = {}, False
    for line in open(path):
        words = line.split()
        if words[0] == 'module':
            inside = os.path.basename(words[-1]) == os.path.basename(program)
        elif inside:
            counts[int(words[0], 16)] = int(words[1])
    return counts

def by_callgrind(path, program):
    counts, names, inside, callee = {}, {}, False, False
    for line in open(path):
        m = re.match(r'c?ob=(\(\d+\))(?: (.*))?', line)
        if m:
            name = names.setdefault(m[1], m[2])
            if line.startswith('ob='):
                inside = os.path.basename(name) == os.path.basename(program)
        elif line.startswith('calls='):
            callee = True  # the next line has the callee's cost
        elif line.startswith('0x'):
            if inside and not callee:
                at, count = line.split()
                counts[int(at, 16)] = counts.get(int(at, 16), 0) + int(count)
            callee = False
    return counts

def text_section(program):
    for line in subprocess.run(['readelf', '-SW', program], capture_output=True, text=True).stdout.splitlines():
        m = re.match(r' *\[ *\d+\] \.text +PROGBITS +(\w+) +\w+ +(\w+)', line)
        if m:
            return range(int(m[1], 16), int(m[1], 16) + int(m[2], 16))

def line_counts(counts, program):
    lines = {}
    executed = sorted(counts)
    table = sorted((start, end, os.path.basename(name), line) for name, line, start, end in rows(program))
    i = 0
    for start, end, name, line in table:
        while i < len(executed) and executed[i] < start:
            i += 1
        most = lines.get((name, line), 0)
        while i < len(executed) and executed[i] < end:
            most = max(most, counts[executed[i]])
            i += 1
        lines[name, line] = most
    return lines

recording, callgrind, program, info = sys.argv[1:]
text = text_section(program)
ours, theirs = ({at: n for at, n in counts.items() if at in text} for counts in (recorded(recording, program), by_callgrind(callgrind, program)))
every = sorted(set(ours) | set(theirs))
different = [at for at in every if ours.get(at) != theirs.get(at)]
for at in different:
    print(f'instruction {at:x}: psuite {ours.get(at)}, callgrind {theirs.get(at)}', file=sys.stderr)

def trace_file(path):
    """counts by line, and calls by the line of a function"""
    lines, calls, at = {}, {}, {}
    for line in open(path):
        key, _, rest = line.strip().partition(':')
        if key == 'SF':
            name = os.path.basename(rest)
        elif key == 'FN':
            number, function = rest.split(',', 1)
            at[function] = name, int(number)
        elif key == 'FNDA':
            count, function = rest.split(',', 1)
            calls[at[function]] = calls.get(at[function], 0) + int(count)
        elif key == 'DA':
            number, count = map(int, rest.split(','))
            lines[name, number] = count
    return lines, calls

truth = line_counts(theirs, program)
lines, calls = trace_file(info)
wrong = [at for at in lines if lines[at] != truth.get(at, calls.get(at))]
for at in wrong:
    print(f'line {at}: psuite {lines[at]}, callgrind {truth.get(at)}', file=sys.stderr)
print(len(every), len(different), sum(theirs.values()), len(lines), len(wrong))
