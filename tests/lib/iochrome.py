# iochrome.py TRACE REPORT: Chrome's trace of iostats against its JSON report; says nothing when they agree.
import collections, json, sys

events = json.load(open(sys.argv[1], 'rb'))
report = json.load(open(sys.argv[2], 'rb'))
spans = [e for e in events if e['ph'] == 'X']
assert [e['name'] for e in events if e['ph'] != 'X'] == ['process_name'], 'one name, of all tracks'
assert spans, 'no spans'
assert all(e['ts'] >= 0 and e['dur'] >= 0 and e['tid'] >= 0 for e in spans), 'times'

def of(key):  # message: what its row in the report has
    return {m['message']: m[key] for m in report['messages'] if m[key]}

def in_trace(value, outcomes):
    sums = collections.Counter()
    for e in spans:
        if ('error' in e['args']) in outcomes:
            sums[e['name']] += value(e)
    return {name: n for name, n in sums.items() if n}

done, failed = [False], [True]
for key, value, outcomes in (
        ('timed', lambda e: 1, done),
        ('errors', lambda e: 1, failed),
        ('request_bytes', lambda e: e['args']['request_bytes'], done + failed),
        ('reply_bytes', lambda e: e['args']['reply_bytes'], done)):
    if key.endswith('_bytes') and all(m[key] is None for m in report['messages']):
        continue  # system calls: the trace has the bytes that they moved
    want, got = of(key), in_trace(value, outcomes)
    if want != got:
        print(key, 'reported', want, 'traced', got)
# To the last digit of ts and dur, which are of whole ns.
spent = in_trace(lambda e: round(e['dur'] * 1000), done)
if spent != of('time_ns'):
    print('time_ns reported', of('time_ns'), 'traced', spent)
