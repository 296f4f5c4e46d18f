"""plans.py FILE: a table of what `psuite prof --dry-run --json' says. Fails if fewer functions of a program can be patched than
98%, 95% on 32-bit ARM, or if more than 2% are counted only at their entry."""
import json
import os
import sys

LEAST = {'x86-64': 98.0, 'arm64': 98.0, 'arm': 95.0}
few = 0
for module in json.load(open(sys.argv[1]))['modules']:
    share = 100 * module['patchable'] / module['entries']
    entry_only = sum(module['entry_only'].values())
    few += share < LEAST[module['machine']] or module['entries'] < 1000 or entry_only > 0.02 * module['entries']
    print('%-7s %-24s %6d entries, %6.2f%% patchable, %5d counted only at the entry' % (
        module['machine'], os.path.basename(module['path']), module['entries'], share, entry_only))
sys.exit(few > 0)
