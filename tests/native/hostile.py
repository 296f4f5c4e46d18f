"""hostile.py PSUITE PSUITE_FAKE WORK TESTS SCRATCH: every applet meets names of threads, processes, files, symbols, sources and
hosts that a terminal would act upon. A line a check: `ok WHAT', `FAILED WHAT: WHY' or `skipped WHAT'.

Each name has PWN in it, so that a check sees that the names came through; `unseen' stands where they need not. On a
terminal psuite writes control sequences of its own: theirs are known by the numbers in them."""
import fcntl, json, os, pty, re, select, shutil, signal, socket, struct, subprocess, sys, termios, threading, time

psuite, fake, work, tests, scratch = sys.argv[1:]
os.chdir(scratch)
LIMIT_S = 180
PIECES = [b'\x1b]0;PWN\a', b'\x1b[66;77HPWN', b'a\nPWN\tb\r', b'PWN\x7f\x9b9;9H', 'PWN\x9b2J'.encode(),
          'PWN\u202e\u2066'.encode(), 'PWN\u061c\u2028\u200e'.encode(), b'PWN\xff\xc0\xaf', b'PWN\1\5\x0e']
NAME = b''.join(PIECES)
UNSAFE = re.compile('[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]')
THEIRS = re.compile(rb'\x1b\]0;P|\x1b\[66;77H|\x9b9;9H|[\x01\x05\x7f]')
THEIR_RUNES = re.compile('[\x80-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]')


def hostile(length):
    """A name of so many bytes, without a slash."""
    name = (NAME * (length // len(NAME) + 1))[:length]
    return name[:-3] + b'end' if length > 20 else name


def say(what, wrong):
    print('ok %s' % what if not wrong else 'FAILED %s: %s' % (what, wrong), flush=True)


def wrong_text(out):
    try:
        text = out.decode()
    except UnicodeDecodeError as e:
        return 'no UTF-8: %r' % out[max(0, e.start - 30):e.start + 10]
    bad = UNSAFE.search(text)
    if bad:
        return 'U+%04X in %r' % (ord(bad[0]), text[max(0, bad.start() - 40):bad.start() + 10])
    line = re.search(r'^PWN.*', text, re.M)
    return line and 'a name ended its line: %r' % line[0]


def wrong_terminal(out):
    theirs = THEIRS.search(out)
    if theirs:
        return 'theirs: %r' % out[max(0, theirs.start() - 40):theirs.end() + 5]
    text = out.decode(errors='surrogateescape')
    bad = THEIR_RUNES.search(text) or re.search('[\udc80-\udcff]', text)
    return bad and 'U+%04X in %r' % (ord(bad[0]), text[max(0, bad.start() - 40):bad.start() + 10])


def environment(scenario):
    e = dict(os.environ, LC_ALL='C.UTF-8', TERM='xterm-256color')
    if scenario:
        e['PSUITE_FAKE'] = scenario
    return e


def run(words, scenario=None, give=b''):
    try:
        p = subprocess.run(words, input=give, capture_output=True, timeout=LIMIT_S, env=environment(scenario))
    except subprocess.TimeoutExpired:
        return None, b'', b'no end within %d s' % LIMIT_S
    return p.returncode, p.stdout, p.stderr


def check(what, *words, scenario=None, give=b'', unseen=False, status=None, longer=None):
    """`longer', other words: what is looked at may have had no CPU meanwhile, and so no name."""
    code, out, err = run((psuite if scenario is None else fake,) + words, scenario, give)
    if longer and code == 0 and b'PWN' not in out + err:
        code, out, err = run((psuite,) + longer)
    wrong = 'no end' if code is None else wrong_text(out) or wrong_text(err)
    if not wrong and (code < 0 or status is not None and code != status):
        wrong = 'status %d: %r' % (code, err[-200:])
    if not wrong and not unseen and b'PWN' not in out + err:
        wrong = 'no name came through: %r %r' % (out[:200], err[:300])
    if not wrong and ('--json' in words or '-j' in words) and out:
        try:
            for line in out.decode().splitlines():
                json.loads(line)
        except ValueError as e:
            wrong = 'no JSON: %s' % e
    say(what, wrong)
    return out


def check_terminal(what, *words, scenario=None, keys=b'', until=b'PWN', give_up_s=LIMIT_S):
    """On a terminal of its own: keys and q are typed once `until' was shown, if there are keys; then it must end."""
    pid, tty = pty.fork()
    if pid == 0:
        os.execve(psuite if scenario is None else fake, ('psuite',) + words, environment(scenario))
    fcntl.ioctl(tty, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 160, 0, 0))
    out, typed, deadline, ended = b'', False, time.monotonic() + give_up_s, False
    while time.monotonic() < deadline:
        if not select.select([tty], [], [], 0.2)[0]:
            continue
        try:
            more = os.read(tty, 65536)
        except OSError:
            more = b''
        if not more:
            ended = True
            break
        out += more
        if not typed and until in out and keys:
            for key in keys:
                os.write(tty, bytes([key]))
                time.sleep(0.3)
            os.write(tty, b'q')
            typed = True
    if not ended:
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(tty)
    wrong = wrong_terminal(out) or ('' if until in out else 'no name came through: %r' % out[-300:])
    say(what, wrong or ('' if ended else 'no end: %r' % out[-200:]))


def replaced(path, to, **names):
    """The file with names written over by hostile ones of the same length."""
    data = open(path, 'rb').read()
    for name in names.values():
        assert name in data, name
        data = data.replace(name, hostile(len(name)))
    with open(to, 'wb') as f:
        f.write(data)
    return to


# --- a program whose file, symbols, source and threads are hostile
FUNCTION = b'hostile_function_name_that_is_to_be_written_over_by_one_of_the_same_length_00'
SOURCE = b'hostile_source_name_that_is_to_be_written_over_by_one_of_the_same_length_00.c'
symbol, source = hostile(len(FUNCTION)), hostile(len(SOURCE) - 2) + b'.c'
program = os.fsencode(scratch) + b'/' + NAME
data = open(os.path.join(work, 'hostile'), 'rb').read()
assert FUNCTION in data and SOURCE in data
with open(program, 'wb') as f:
    f.write(data.replace(FUNCTION, symbol).replace(SOURCE, source))
os.chmod(program, 0o755)

check('time', 'time', program, status=0)
check('time -v -n', 'time', '-v', '-n', '2', program, '0.01')
check('time --json', 'time', '--json', 'true', NAME)
check('time of what is not there', 'time', NAME)
for engine in ['perf', 'ptrace']:
    code, out, err = run([psuite, 'tprof', '-E', engine, '-g', '-q', '--record', engine + '.rec', '-x', program, '0.15'])
    say('tprof -E %s: messages' % engine, wrong_text(out) or wrong_text(err))
    if code != 0:
        print('skipped sampling by %s' % engine)
    else:
        recording = engine + '.rec'
for view in ['', '--threads', '--by-process', '-l', '-i', '-c', '--tree', '--callers', '--json', '--json --threads', '--rows 1',
             '--no-demangle', '-l --threads']:
    check('tprof ' + view, 'tprof', *view.split(), recording)
check('tprof --around', 'tprof', '--around', symbol, recording)
check('tprof --around, of none', 'tprof', '--around', NAME, recording)
check('tprof --annotate', 'tprof', '--annotate', symbol, recording)
# The kernel writes a newline in a path as \\012, and a file of that name is not there.
findable = os.fsencode(scratch) + b'/' + NAME.replace(b'\n', b'')
shutil.copy(program, findable)
run([psuite, 'tprof', '-q', '--record', 'findable.rec', '-x', findable, '0.1'])
check('tprof --annotate, its code', 'tprof', '--annotate', symbol, 'findable.rec')
out = run([psuite, 'tprof', '--json', '--annotate', symbol, 'findable.rec'])[1]
folder = os.fsencode('sysroot' + os.path.dirname(json.loads(out)['file']))
os.makedirs(folder)
with open(folder + b'/' + source, 'wb') as f:
    f.write(b'// ' + NAME.replace(b'\n', b'') + b'\n' + b'x = 1; // ' + NAME.replace(b'\n', b'') + b'\n' * 20)
check('tprof --annotate with the source', 'tprof', '--sysroot', 'sysroot', '--annotate', symbol, 'findable.rec')
check('tprof --annotate --json', 'tprof', '--json', '--annotate', symbol, recording)
check('tprof --diff', 'tprof', '--diff', recording, recording, unseen=True)
check('tprof -m', 'tprof', '-m', NAME, recording, unseen=True)
check('tprof of no file', 'tprof', NAME + b'.rec')
for kind in ['folded', 'callgrind', 'speedscope', 'pprof', 'firefox', 'json', 'flame']:
    check('tprof -o %s: messages' % kind, 'tprof', '-q', '-f', '-o', kind + ':' + kind + '.out', recording, unseen=True)
for kind in ['speedscope', 'firefox', 'json']:
    try:
        wrong = '' if json.load(open(kind + '.out')) else 'empty'
    except (OSError, ValueError) as e:
        wrong = str(e)
    say('%s is JSON' % kind, wrong)
check_terminal('tprof on a terminal', 'tprof', '--threads', recording)
living = subprocess.Popen([program, '300', '30'], stdout=subprocess.PIPE)
living.stdout.readline()
check('tprof PID', 'tprof', '-t', '0.3', str(living.pid), longer=('tprof', '-t', '5', str(living.pid)))
check_terminal('tprof --top', 'tprof', '--top', str(living.pid), keys=b'tpt')
check('ns cat #p/PID/status', 'ns', 'cat', '#p/%d/status' % living.pid, '#p/%d/fd' % living.pid)
status = run([psuite, 'ns', 'cat', '#p/%d/status' % living.pid])[1]
say('its columns are at their places', '' if re.fullmatch(rb'a\?PWN\?b\? {20}\S.{27}(Running|Sleeping) +( *-?\d+ ){9}', status)
    else repr(status))
check_terminal('ns cat on a terminal', 'ns', 'cat', '#p/%d/args' % living.pid)
if run([psuite, 'trace', '-s', '0.1'])[0] == 0:
    for view in ['', '-e', '--latency', '--json']:
        words = (*view.split(), str(living.pid))
        check('trace, live, ' + view, 'trace', '-s', '0.3', *words, unseen=view == '--latency',
              longer=view != '--latency' and ('trace', '-s', '5') + words)
    check('trace mark', 'trace', 'mark', NAME, unseen=True)
    check_terminal('trace --view', 'trace', str(living.pid), keys=b'p')
else:
    print('skipped trace, live')
living.kill()
living.wait()

# --- symbols
nm = run(['nm', program])[1].splitlines()
main = next(line.split()[0].decode() for line in nm if line.endswith(b' main'))
at = re.findall(rb'([0-9a-f]{16}) T \x1b', run(['nm', program])[1])
function = '0x' + (at[0].decode() if at else main)
for style in ['psuite', 'gnu', 'llvm']:
    check('sym --style ' + style, 'sym', '--style', style, '-f', '-i', '-a', '-e', program, function)
    check('sym --style %s -p' % style, 'sym', '--style', style, '-f', '-p', '-e', program, function)
check('sym -j', 'sym', '-j', '-e', program, function)
check('sym of no program', 'sym', b'none' + NAME, '1')
check_terminal('sym on a terminal', 'sym', '-e', program, function)
open('log', 'wb').write(b'at ' + NAME.replace(b'\n', b'') + b'\n')
log = subprocess.Popen(['script', '-qec', "'%s' sym '%s/%s' < log" % (psuite, work, 'burn'), '/dev/null'],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
out = log.communicate(timeout=LIMIT_S)[0]
say('a log on a terminal', wrong_terminal(out) or ('' if b'PWN' in out else repr(out)))

# --- recordings and files of others
rec = replaced(tests + '/golden/trace/board-arm64.rec', 'board.rec', a=b'psuite', b=b'rcu_sched', c=b'sleep', d=b'ksoftirqd')
for view in ['', '--summary', '--latency', '-e', '-v', '--json', '--json -e']:
    check('trace FILE ' + view, 'trace', *view.split(), rec, unseen=view not in ('', '--summary'))
check('trace -o chrome:', 'trace', '-f', '-o', 'chrome:t.json', rec, unseen=True)
say('which is JSON', '' if json.load(open('t.json')) else 'empty')
check_terminal('trace FILE on a terminal', 'trace', rec, keys=b'cch', until=b'0;P')

made = run([os.path.join(os.path.dirname(work), 'tests/profmake')], give=open(tests + '/applets/prof/threads.text', 'rb').read()
           .replace(b'PROG', b'/nowhere/program_of_a_long_name_to_write_over').replace(b'worker', b'worker_threads'))[1]
open('made.prof', 'wb').write(made)
for name in [b'program_of_a_long_name_to_write_over', b'libgone.so.1', b'worker_threads']:
    assert name in made, name
    made = made.replace(name, hostile(len(name)))
open('hostile.prof', 'wb').write(made)
for view in ['', '--threads', '-d', '-v', '-c', '--tree', '--callers', '--json', '-l', '--marks']:
    check('prof ' + view, 'prof', *view.split(), program, 'hostile.prof', unseen=view in ('-d', '--marks'))
check('prof alone', 'prof', 'hostile.prof')
check('prof of no file', 'prof', program, b'none' + NAME)

table = open(tests + '/golden/kprof/k6.kpdata', 'rb').read()
open('k6.kpdata', 'wb').write(table)
lines = run(['nm', tests + '/golden/kprof/kern.elf32'])[1].splitlines()
open('map', 'wb').write(b'\n'.join(l + NAME.replace(b'\n', b'').replace(b'\t', b'') for l in lines) + b'\n')
check('kprof TEXT DATA', 'kprof', 'map', 'k6.kpdata')
check('kprof of no file', 'kprof', NAME, NAME)
shutil.copytree(tests + '/applets/kprof', 'kprof')
symbols = open('kprof/kallsyms', 'rb').read().replace(b'ksys_read', b'ksys' + NAME.replace(b'\n', b'').replace(b'\t', b''))
open('kprof/kallsyms', 'wb').write(symbols)
for view in ['', '--by-process', '-g --tree', '-g -c', '--json']:
    check('kprof ' + view, 'kprof', '-t', '1', *view.split(), scenario=scratch + '/kprof/whole.scenario')
shutil.copytree(tests + '/applets/tprof', 'tprof')
open('tprof/sampled.comm', 'wb').write(NAME[:60])
jit = open('tprof/jit.map', 'rb').read().replace(b'~hot', NAME.replace(b'\n', b''))
open('tprof/jit.map', 'wb').write(jit)
for view in ['', '--threads', '--json']:
    check('tprof of compiled code ' + view, 'tprof', *view.split(), '7', scenario=scratch + '/tprof/jit.scenario')

stats = b'psuite stats 1 1.000\nat 1795380254130\nsource 2 0 %s\nload 1 2 0.5 7\nend\n'
stats += b'at 1795380255130\nsource 2 0 %s\nload 1 2 0.5 7\nmem - 2 %s\nend\n'
word = NAME.replace(b'\n', b'')
open('stats.rec', 'wb').write(stats % (word, word, word))
for form in ['--once', '--json', '', '--openmetrics', '--csv']:
    machine = form in ('--csv', '--openmetrics') # their bytes are the file's
    if machine:
        say('stats %s: messages' % form, wrong_text(run([psuite, 'stats', form, '--replay', 'stats.rec'])[2]))
    else:
        check('stats --replay ' + form, 'stats', *form.split(), '--replay', 'stats.rec')
check_terminal('stats --replay on a terminal', 'stats', '--replay', 'stats.rec', keys=b' q')
check('stats of no machine', 'stats', '--once', NAME)


class Board(threading.Thread):
    """A 9P server that welcomes its clients and refuses all else, in its own words."""
    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind('board.sock')
        self.listener.listen(8)

    def answer(self, peer):
        held = b''
        while True:
            while len(held) < 7 or len(held) < struct.unpack_from('<I', held)[0]:
                more = peer.recv(65536)
                if not more:
                    return
                held += more
            size, kind, tag = struct.unpack_from('<IBH', held)
            body = struct.pack('<IH', 8192, 6) + b'9P2000' if kind == 100 else struct.pack('<H', len(NAME)) + NAME
            peer.sendall(struct.pack('<IBH', 7 + len(body), 101 if kind == 100 else 107, tag) + body)
            held = held[size:]

    def run(self):
        while True:
            peer = self.listener.accept()[0]
            try:
                self.answer(peer)
            except OSError:
                pass
            peer.close()


Board().start()
check('ns of a hostile server', 'ns', '-n', 'unix!board.sock', 'ls', '/')
check('ns of a hostile server, on', 'ns', '-n', 'unix!board.sock', 'cat', '/dev/sysstat')
check('stats of a hostile server', 'stats', '--once', 'unix!board.sock')
check('stats by a hostile command', 'stats', '--dial', "printf '%s\\n' \"$W\" >&2; false", '--once', 'host', unseen=True)
os.environ['W'] = os.fsdecode(NAME)
check('ns by a hostile command', 'stats', '--dial', "sh -c 'printf %s\\\\n \"$W\" >&2; exit 1'", '--once', 'host', unseen=True)

os.mkdir('files')
os.mkdir(b'files/' + NAME + b'dir')
open(b'files/' + NAME, 'wb').write(NAME)
check('ns ls', 'ns', '-n', 'files', 'ls', '/', b'/' + NAME + b'dir')
check('ns ls -l', 'ns', '-n', 'files', 'ls', '-l', '/')
check('ns --json', 'ns', '-n', 'files', '--json', 'ls', '/')
check('ns cat --json', 'ns', '-n', 'files', '--json', 'cat', b'/' + NAME)
check_terminal('ns cat of a file on a terminal', 'ns', '-n', 'files', 'cat', b'/' + NAME)
say('ns cat elsewhere keeps the bytes', '' if run([psuite, 'ns', '-n', 'files', 'cat', b'/' + NAME])[1] == NAME else 'changed')
check('ns of no file', 'ns', 'cat', b'#c/' + NAME)
for view in ['', '--tree', '--json', '--latency', '--plan9']:
    code, out, err = run(['sh', '-c', 'exec "$0" iostats -b ptrace "$@" 3>&1 >/dev/null', psuite, *view.split(), 'cat',
                          b'files/' + NAME])
    say('iostats ' + view, wrong_text(err) or ('' if b'PWN' in err else 'no name came through: %r' % err[:300]))
check('iostats of no command', 'iostats', '-b', 'ptrace', NAME)
check('bind', 'bind', '#c', b'files/none' + NAME)
check('bind of no device', 'bind', NAME, 'files')
check('unbind', 'unbind', b'files/' + NAME + b'dir')
check('export', 'export', b'unix!/none/' + NAME)
check('export of no address', 'export', NAME)
check('doctor', 'doctor', NAME)
scene = open(tests + '/applets/doctor/pc-root.scene', 'rb').read().replace(b'6.1.0-28-amd64', word.replace(b'\r', b''))
open('doctor.scene', 'wb').write(scene)
for view in ['', '-v', '--json']:
    check('doctor ' + view, 'doctor', *view.split(), scenario=scratch + '/doctor.scene', unseen=True)
for applet in 'time prof tprof kprof trace snap stats iostats sym ns bind unbind export doctor help'.split():
    check('options of ' + applet, applet, b'--' + NAME)
check('no applet', NAME)
