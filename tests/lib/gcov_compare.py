# gcov_compare.py DIR INFO PROGRAM: gcov's counts (DIR/gcov/*.gcov.json.gz) compared with those of a trace file of lcov, of the
# sources in DIR, which psuite has counted in PROGRAM. Prints: functions, those with the same calls, lines that both have, those
# that both have executed or not, those with the same count, and lines of one of both alone that are unexplained. Explained are
# lines without any instruction in PROGRAM, and the closing braces of functions, which gcov does not have. Standard error names
# the lines that differ, and the unexplained ones.
import glob, gzip, json, os, sys

sys.path.insert(0, os.path.dirname(__file__))
sys.dont_write_bytecode = True
from line_rows import rows

folder, info, program = sys.argv[1:]
lines, functions = {}, {}
for path in glob.glob(folder + '/gcov/*.gcov.json.gz'):
    for file in json.load(gzip.open(path))['files']:
        name = os.path.basename(file['file'])
        for line in file['lines']:
            key = name, line['line_number']
            lines[key] = lines.get(key, 0) + line['count']
        for function in file['functions']:
            functions[name, function['name']] = function['execution_count']

our_lines, our_functions = {}, {}
for line in open(info):
    key, _, rest = line.strip().partition(':')
    if key == 'SF':
        name = os.path.basename(rest)
    elif key == 'DA':
        number, count = rest.split(',')
        our_lines[name, int(number)] = int(count)
    elif key == 'FNDA':
        count, function = rest.split(',', 1)
        our_functions[name, function] = int(count)

texts = {}
def text(key):
    name, number = key
    if name not in texts:
        texts[name] = open(os.path.join(folder, name)).read().split('\n')
    return texts[name][number - 1]

have_code = {(os.path.basename(name), line) for name, line, start, end in rows(program)}
unexplained = [k for k in lines if k not in our_lines and k in have_code]
unexplained += [k for k in our_lines if k not in lines and not text(k).strip().startswith('}')]
for key in unexplained:
    print('unexplained', *key, text(key), file=sys.stderr)
both = [k for k in lines if k in our_lines]
for key in both:
    if lines[key] != our_lines[key]:
        print('differs', *key, 'gcov', lines[key], 'psuite', our_lines[key], text(key).strip(), file=sys.stderr)
print(len(functions), sum(functions[k] == our_functions.get(k) for k in functions), len(both),
      sum((lines[k] > 0) == (our_lines[k] > 0) for k in both), sum(lines[k] == our_lines[k] for k in both), len(unexplained))
