# iocounts.py STRACE LOG FOLDER: what strace -f -y saw of the files below FOLDER beside iostats' log of the same command by fuse: `MESSAGE STRACE FUSE'
# a line, and of what each file read and wrote. Calls that failed are left out of both: by fuse most fail in a walk. Explained differences are no
# differences here: an open that makes its file is a create; closes are counted by open file, so they are as many as opens; an O_PATH open is the
# kernel's alone; a name below /proc/self/fd is that descriptor's file; random ends of temporary names differ. Stat, walk and access are not
# compared: a part of what they ask the kernel knows.
import collections, re, sys

trace, log, folder = sys.argv[1:4]
calls = {
    'openat': 'open', 'open': 'open', 'creat': 'open', 'mkdir': 'made', 'mkdirat': 'made', 'symlink': 'made', 'symlinkat': 'made', 'link': 'made',
    'linkat': 'made', 'read': 'read', 'pread64': 'read', 'readv': 'read', 'getdents64': 'read', 'write': 'write', 'pwrite64': 'write',
    'writev': 'write', 'unlink': 'remove', 'unlinkat': 'remove', 'rmdir': 'remove',
    **dict.fromkeys(('rename renameat renameat2 chmod fchmod fchmodat chown fchown lchown fchownat truncate ftruncate utimensat fallocate '
                     'fsync fdatasync').split(), 'wstat')}
seen, moved = collections.Counter(), collections.Counter()
unfinished = {}


def steady(path):
    return re.sub(r'(/tmp_obj_|/tmp/cc)\w{6}', r'\1', path)


def note(call, arguments, result, path):
    kind = calls.get(call)
    inside = (path or '').startswith(folder + '/') or path == folder
    if kind in ('made', 'remove') or kind == 'wstat' and not path: # names: the first is enough, as all the works stay in their folder
        name = re.search(r'"([^"]*)"', arguments)
        inside = bool(name) and (not name[1].startswith('/') or name[1].startswith((folder, '/proc/self/fd/')))
    if not kind or not inside or 'O_PATH' in arguments:
        return
    seen[kind] += 1
    if kind in ('read', 'write') and call != 'getdents64':
        moved[kind, steady(path)] += result


for line in open(trace, errors='surrogateescape'):
    pid, _, text = line.partition(' ')
    text = text.strip()
    if text.endswith('<unfinished ...>'):
        unfinished[pid] = text[:-len('<unfinished ...>')]
        continue
    resumed = re.match(r'<\.\.\. \w+ resumed>(.*)', text)
    if resumed:
        text = unfinished.pop(pid, '') + resumed[1]
    m = re.match(r'(\w+)\((.*)\)\s+= (\d+)(?:<(.*)>)?', text)
    if not m:
        continue
    call, arguments, result, opened = m[1], m[2], int(m[3]), m[4]
    first = re.match(r'\d+<([^>]*)>', arguments)
    path = opened if calls.get(call) == 'open' else first and first[1]
    note(call, arguments, result, path and path.removesuffix(' (deleted)'))

fuse, fuse_moved = collections.Counter(), collections.Counter()
for line in open(log, errors='surrogateescape'):
    m = re.match(r'\S+ +\S+ us (\w+) +(\d+) +(\d+) (' + re.escape(folder) + r'(?:/\S*)?)$', line.rstrip('\n'))
    if not m: # others' files; those that failed have their error at the end
        continue
    kind, request, reply, path = m[1], int(m[2]), int(m[3]), m[4]
    fuse[kind] += 1
    if kind == 'read':
        fuse_moved[kind, steady(path)] += reply - 11 # 9P's head of a reply to read, and of a request to write
    elif kind == 'write':
        fuse_moved[kind, steady(path)] += request - 23

print('opened-or-made', seen['open'] + seen['made'], fuse['open'] + fuse['create'])
print('closed', seen['open'], fuse['clunk'])
for kind in 'read', 'write', 'remove', 'wstat':
    print(kind, seen[kind], fuse[kind])
for kind, path in sorted(moved.keys() | fuse_moved.keys()):
    a, b = moved[kind, path], fuse_moved[kind, path]
    if a != b and not (kind == 'read' and a == 0): # what directories have in them is no file's
        print('bytes', kind, path, a, b)
