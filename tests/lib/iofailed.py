#!/usr/bin/env python3
"""iofailed.py STRACE JSON DIRECTORY: differences between the failed calls of `strace -f -Z' and of `iostats --failed --json'.

Compared are the call, the error and the name. strace has names as they were given, iostats has relative ones from where they
begin: a name of strace is also that of a path of iostats that ends in it."""
import collections, json, re, sys

# What iostats follows (src/core/io/call_table.c), as far as it takes a name.
CALLS = """open openat openat2 creat access faccessat faccessat2 chdir mkdir mkdirat mknod mknodat symlink symlinkat link linkat
unlink unlinkat rmdir stat lstat newfstatat statx statfs rename renameat renameat2 chmod fchmodat fchmodat2 chown lchown
fchownat truncate utime utimes futimesat utimensat""".split()
LINE = re.compile(r'^(?:\d+ +)?(\w+)\((.*)\) += -1 (E\w+) ')
NAMES = re.compile(r'"((?:[^"\\]|\\.)*)"')


def of_strace(path):
    found = collections.Counter()
    unfinished = {}
    for line in open(path, errors='replace'):
        begun = re.match(r'^(\d+) +(.*) <unfinished \.\.\.>$', line)
        if begun:
            unfinished[begun[1]] = begun[2]
            continue
        resumed = re.match(r'^(\d+) +<\.\.\. \w+ resumed>(.*)$', line)
        if resumed:
            line = f'{resumed[1]} {unfinished.pop(resumed[1], "")}{resumed[2]}'
        call = LINE.match(line)
        if not call or call[1] not in CALLS:
            continue
        names = NAMES.findall(call[2])
        if names:
            found[call[1], call[3], names[1 if call[1].startswith('symlink') else 0]] += 1
    return found


def main():
    theirs = of_strace(sys.argv[1])
    ours = collections.Counter()
    for row in json.load(open(sys.argv[2]))['failed']:
        ours[row['call'], row['error'], row['path']] += row['count']
    for (call, error, name), count in sorted(theirs.items()):
        for (c, e, path) in sorted(ours):
            if count and (c, e) == (call, error) and (path == name or (name[:1] != '/' and path.endswith('/' + name))):
                taken = min(count, ours[c, e, path])
                ours[c, e, path] -= taken
                count -= taken
        if count:
            print(f'strace alone: {count} {call} {error} {name}')
    for key, count in sorted(ours.items()):
        if count:
            print('iostats alone:', count, *key)
    if sum(theirs.values()) == 0:
        print('strace saw no call fail')


main()
