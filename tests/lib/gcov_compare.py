# gcov_compare.py DIR INFO: gcov's counts (DIR/gcov/*.gcov.json.gz) beside those of a trace file of lcov, of the sources in DIR.
# Prints: functions, those with the same calls, lines that both have, those that both have executed or not, those with the same
# count, and lines of one of both alone that are neither labels nor closing braces.
import glob, gzip, json, os, re, sys

folder, info = sys.argv[1:]
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

# va_end is no code; gcov has lines of labels, which are none, and has no line for the brace that ends a function. A `break' right
# behind `case' is none, either: the switch's table leads behind the switch.
LABEL = re.compile(r'\s*(case\b.*|default\s*|[A-Za-z_]\w*\s*):|\s*va_end\(')
def is_empty_case(key):
    return text(key).strip() == 'break;' and re.match(r'\s*(case\b.*|default\s*):', text((key[0], key[1] - 1)))

unexplained = [k for k in lines if k not in our_lines and not LABEL.match(text(k)) and not is_empty_case(k)]
unexplained += [k for k in our_lines if k not in lines and text(k).strip() != '}']
for key in unexplained[:20]:
    print(key, text(key), file=sys.stderr)
both = [k for k in lines if k in our_lines]
print(len(functions), sum(functions[k] == our_functions.get(k) for k in functions), len(both),
      sum((lines[k] > 0) == (our_lines[k] > 0) for k in both), sum(lines[k] == our_lines[k] for k in both), len(unexplained))
