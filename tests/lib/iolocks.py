# What a program sees of locks, in the folder given: the same lines are expected with and without something between it and its files.
import fcntl, os, signal, struct, subprocess, sys, time
os.chdir(sys.argv[1])
def child(code, *args):
    return subprocess.run([sys.executable, '-SE', '-c', 'import fcntl,os,sys,time,struct\n' + code, *args], capture_output=True, text=True).stdout.strip()
TRY = '''
f = open('f', 'r+')
try:
    (fcntl.flock if sys.argv[1] == 'flock' else fcntl.lockf)(f, (fcntl.LOCK_SH if sys.argv[2] == 'sh' else fcntl.LOCK_EX) | fcntl.LOCK_NB); print('got')
except OSError as e: print(e.errno)
'''
def soon(*args):
    """What has become of a lock that was held until a file was closed: of that the kernel tells a server later."""
    end = time.monotonic() + 20
    while (got := child(TRY, *args)) != 'got' and time.monotonic() < end: time.sleep(0.05)
    return got
RANGE = '''
f = open('f', 'r+')
try: fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB, int(sys.argv[2]), int(sys.argv[1])); print('got')
except OSError as e: print(e.errno)
'''
open('f', 'w').write('x' * 100)
for kind, lock in ('flock', fcntl.flock), ('posix', fcntl.lockf):
    f = open('f', 'r+')
    lock(f, fcntl.LOCK_SH); print(kind, 'shared:', child(TRY, kind, 'sh'), child(TRY, kind, 'ex'))
    lock(f, fcntl.LOCK_EX); print(kind, 'exclusive:', child(TRY, kind, 'sh'), child(TRY, kind, 'ex'))
    g = open('f', 'r+')
    try: lock(g, fcntl.LOCK_EX | fcntl.LOCK_NB); print(kind, 'again by another open: got')
    except OSError as e: print(kind, 'again by another open:', e.errno)
    g.close(); print(kind, 'that one closed:', child(TRY, kind, 'ex'))
    lock(f, fcntl.LOCK_EX); d = os.dup(f.fileno()); os.close(d); print(kind, 'a dup closed:', child(TRY, kind, 'ex'))
    lock(f, fcntl.LOCK_EX); lock(f, fcntl.LOCK_UN); print(kind, 'unlocked:', child(TRY, kind, 'ex'))
    lock(f, fcntl.LOCK_EX); f.close(); print(kind, 'closed:', soon(kind, 'ex'))
f = open('f', 'r+'); fcntl.lockf(f, fcntl.LOCK_EX, 10, 20)
print('ranges:', child(RANGE, '0', '20'), child(RANGE, '30', '0'), child(RANGE, '29', '1'), child(RANGE, '0', '0'))
fcntl.lockf(f, fcntl.LOCK_UN, 4, 24); print('a hole:', child(RANGE, '24', '4'), child(RANGE, '20', '1'), child(RANGE, '28', '1'))
pid = os.fork()
if pid == 0:
    r = fcntl.fcntl(f, fcntl.F_GETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 0, 0)); t, w, s, l, p = struct.unpack('hhqqi4x', r)
    print('found:', t, w, s, l, p == os.getppid(), flush=True)
    r = fcntl.fcntl(f, fcntl.F_GETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 50, 0, 0)); print('free:', struct.unpack('hhqqi4x', r)[0], flush=True)
    os._exit(0)
os.waitpid(pid, 0)
print("a child's end leaves it:", child(RANGE, '20', '1')); f.close()
# waiting
WAIT = "f = open('f', 'r+'); print('in', flush=True); fcntl.%s(f, fcntl.LOCK_EX); print('got')"
for kind, lock in ('flock', fcntl.flock), ('lockf', fcntl.lockf):
    f = open('f', 'r+'); lock(f, fcntl.LOCK_EX)
    p = subprocess.Popen([sys.executable, '-SE', '-c', 'import fcntl\n' + WAIT % kind], stdout=subprocess.PIPE, text=True)
    p.stdout.readline(); time.sleep(0.3); print(kind, 'waits:', p.poll()); lock(f, fcntl.LOCK_UN); print(kind, 'then:', p.stdout.read().strip(), p.wait(60))
    lock(f, fcntl.LOCK_EX)
    p = subprocess.Popen([sys.executable, '-SE', '-c', 'import fcntl\n' + WAIT % kind], stdout=subprocess.PIPE, text=True)
    p.stdout.readline(); time.sleep(0.3); p.kill(); print(kind, 'killed while it waits:', p.wait(60))
    def alarm(*_): os._exit(7)
    if os.fork() == 0:
        g = open('f', 'r+'); signal.signal(signal.SIGALRM, alarm); signal.setitimer(signal.ITIMER_REAL, 0.3, 0.3)
        lock(g, fcntl.LOCK_EX); os._exit(0)
    print(kind, 'while it waits:', 'interrupted' if os.waitstatus_to_exitcode(os.wait()[1]) == 7 else 'got'); f.close()
# the end of who holds one
for _ in range(5):
    for kind in 'flock', 'posix':
        got = soon(kind, 'ex')
        if got != 'got': print(kind, 'after the end of the last one:', got)
f = open('f'); fcntl.lockf(f, fcntl.LOCK_SH); print('to read:', child(TRY, 'posix', 'sh'), child(TRY, 'posix', 'ex')); f.close(); print('closed:', soon('posix', 'ex'))
os.link('f', 'g'); f = open('f', 'r+'); g = open('g', 'r+'); fcntl.lockf(f, fcntl.LOCK_EX); fcntl.lockf(g, fcntl.LOCK_EX | fcntl.LOCK_NB); print('by two names: got'); os.unlink('f'); f.close(); os.rename('g', 'f'); print(child(TRY, 'posix', 'ex'))
