"""terminals.py VIEWDEMO FOLDER: runs the view on pseudo terminals and says `ok WHAT' or `FAILED WHAT: WHY'."""
import fcntl, os, re, select, signal, struct, subprocess, sys, termios, time

DEMO, FOLDER = sys.argv[1:3]
ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
SANITIZED = bool(os.environ.get("PSUITE_SANITIZE"))


def check(what, truth, why=""):
    print("ok " + what if truth else "FAILED %s: %s" % (what, why), flush=True)


class Terminal:
    """A program in a session of its own on a terminal of so many cells."""

    def __init__(self, argv, size=(100, 30), stdin=None, env={}, ignore=()):
        self.master, self.slave = os.openpty()
        self.resize(size)
        self.seen = b""
        self.before = termios.tcgetattr(self.slave)
        self.err = open(FOLDER + "/err", "w+b")

        def begin():
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for sig in ignore:
                signal.signal(sig, signal.SIG_IGN)
            if stdin == "closed":
                os.close(0)

        base = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        source = subprocess.DEVNULL if stdin == "null" else self.slave
        err = self.slave if argv[0] == "bash" else self.err
        self.program = subprocess.Popen(argv, stdin=source, stdout=self.slave, stderr=err,
                                        preexec_fn=begin, env={**base, **env})

    def resize(self, size):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def type(self, keys):
        os.write(self.master, keys)

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            self.seen += os.read(self.master, 65536)
            return True
        return False

    def sees(self, what, seconds=60):
        """Reads until the bytes came, from where the last ones were seen."""
        end = time.monotonic() + seconds
        while True:
            found = re.search(what, self.seen, re.S)
            if found:
                self.seen = self.seen[found.end():]
                return True
            if time.monotonic() > end:
                return False
            self.read(0.05)

    def raw(self):
        now = termios.tcgetattr(self.slave)
        return not now[3] & (termios.ICANON | termios.ECHO) and not now[1] & termios.OPOST

    def end(self, seconds=60):
        """The status, as Python tells it, and the processor time it took."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.02)
            pid, status, usage = os.wait4(self.program.pid, os.WNOHANG)
            if pid:
                while self.read(0.02):
                    pass
                self.program.returncode = os.waitstatus_to_exitcode(status)
                return self.program.returncode, usage.ru_utime + usage.ru_stime
        self.program.kill()
        return None, self.program.wait()

    def restored(self):
        return termios.tcgetattr(self.slave) == self.before and LEAVE in self.seen

    def said(self):
        self.err.seek(0)
        return self.err.read().decode(errors="replace")

    def close(self):
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait()
        for fd in (self.master, self.slave):
            try:
                os.close(fd)
            except OSError:
                pass


def view(*args, **how):
    t = Terminal([DEMO, *args], **how)
    check("the view begins", t.sees(re.escape(ENTER)), t.seen)
    return t


def keys_and_end():
    t = view()
    check("it has the terminal's size", t.sees(rb"100x30 ticks 0"), t.seen)
    check("the terminal is raw", t.raw())
    t.type(b"\x1b[A")
    check("a key comes", t.sees(rb"up"), t.seen)
    t.type(b"\x1b")
    check("an escape alone comes", t.sees(rb"esc"), t.seen)
    t.resize((90, 20))
    check("a resize comes", t.sees(rb"90x20 ticks 0"), t.seen)
    t.type(b"q")
    status, _ = t.end()
    check("q ends it", status == 0 and t.restored(), (status, t.seen))
    t.close()


def sizes():
    for env, size in ({}, b"80x24"), ({"COLUMNS": "50"}, b"50x24"), ({"COLUMNS": "-1", "LINES": "x"}, b"80x24"):
        t = view(size=(0, 0), env=env)
        check("without a size %s" % size.decode(), t.sees(size), t.seen)
        t.type(b"q")
        t.end()
        t.close()


def ends():
    """However it ends, the terminal is as before, and the status tells how."""
    rough = [(b"a", -signal.SIGABRT), (b"s", -signal.SIGSEGV), (b"o", -signal.SIGSEGV), (b"\x1c", -signal.SIGQUIT)]
    for key, want in [(b"e", 7), (b"\x03", 0)] + ([] if SANITIZED else rough):
        t = view()
        t.sees(rb"ticks 0")
        t.type(key)
        status, _ = t.end()
        check("ended by %r" % key, status == want and t.restored(), (status, t.seen, t.said()))
        t.close()
    for sig, want in (signal.SIGTERM, 0), (signal.SIGHUP, 0), (signal.SIGUSR1, -signal.SIGUSR1), (signal.SIGALRM, -signal.SIGALRM):
        t = view()
        t.sees(rb"ticks 0")
        t.program.send_signal(sig)
        status, _ = t.end()
        check("ended by %s" % sig.name, status == want and t.restored(), (status, t.seen))
        if want == 0:
            check("%s was sent, not typed" % sig.name, "signal %d sent" % sig in t.said(), t.said())
        t.close()


def input_ends():
    for stdin in "closed", "null":
        t = view("50", "20", stdin=stdin)
        status, cpu_s = t.end()
        check("stdin %s: the view goes on" % stdin, status == 0 and t.restored(), (status, t.said()))
        check("stdin %s: and does not spin" % stdin, cpu_s < 0.3 and len(t.seen) < 4000, (cpu_s, len(t.seen)))
        t.close()


def hangup():
    t = view("100", ignore=[signal.SIGHUP])
    t.sees(rb"ticks 0")
    os.close(t.slave)
    os.close(t.master)
    end = time.monotonic() + 60
    pid = 0
    while not pid and time.monotonic() < end:
        pid, status, usage = os.wait4(t.program.pid, os.WNOHANG)
        time.sleep(0.02)
    code = os.waitstatus_to_exitcode(status) if pid else None
    t.program.returncode = code
    check("the terminal is gone, SIGHUP ignored: it ends", code == 4, (code, t.said()))
    check("without a spin", usage.ru_utime + usage.ru_stime < 0.3)
    t.close()


def slow():
    """Nobody reads: pictures are dropped, keys still work, and the last one comes when there is room."""
    t = view()
    t.sees(rb"ticks 0")
    t.type(b"f")
    time.sleep(1.5)
    t.type(b"z")
    check("what is shown in the end is the last", t.sees(rb"flood.*z"), t.seen[-300:])
    t.type(b"q")
    status, cpu_s = t.end()
    dropped = int(re.search(r"dropped (\d+)", t.said()).group(1))
    check("pictures were dropped", status == 0 and dropped > 300, t.said())
    check("without a spin", cpu_s < 1, cpu_s)
    t.close()


PROMPT = rb"READY>"


def under_a_shell():
    """^Z, bg, fg and kill of a stopped one, with a shell that controls jobs."""
    t = Terminal(["bash", "--norc", "--noprofile", "-i"], env={"PS1": "READY>", "HISTFILE": ""})
    check("the shell begins", t.sees(PROMPT), t.seen)
    t.type(DEMO.encode() + b"\n")
    check("the view begins under a shell", t.sees(rb"100x30 ticks 0"), t.seen)
    t.type(b"\x1a")
    check("^Z leaves the screen, then stops", t.sees(re.escape(LEAVE) + rb".*Stopped.*" + PROMPT), t.seen)
    t.type(b"stty -a | tr '\\n' ' ' | grep -c ' icanon.* echo '\n")
    check("the shell has its terminal", t.sees(rb"[\r\n]1\r\n.*" + PROMPT), t.seen)
    t.type(b"fg\n")
    check("fg enters it again and draws all", t.sees(re.escape(ENTER) + rb".*100x30 ticks 0"), t.seen)
    t.type(b"x")
    check("keys come again", t.sees(rb"x"), t.seen)
    t.type(b"\x1a")
    t.sees(PROMPT)
    t.type(b"bg\n")
    t.sees(PROMPT)
    time.sleep(0.3)
    t.type(b"jobs\n")
    check("in the background it stops and shows nothing", t.sees(rb"Stopped.*" + PROMPT) and ENTER not in t.seen, t.seen)
    t.type(b"fg\n")
    check("fg after bg enters it again", t.sees(re.escape(ENTER) + rb".*100x30 ticks"), t.seen)
    os.kill(child_of(t.program.pid), signal.SIGSTOP)
    t.sees(PROMPT)
    t.type(b"fg\n")
    check("after SIGSTOP fg draws all", t.sees(re.escape(ENTER) + rb".*100x30 ticks"), t.seen)
    t.type(b"\x1a")
    t.sees(PROMPT)
    t.type(b"kill %1; wait; echo none''left\n")
    check("kill ends a stopped one", t.sees(rb"noneleft"), t.seen)
    t.type(b"jobs; echo all''done\n")
    check("nothing is left of it", t.sees(rb"alldone") and ENTER not in t.seen, t.seen)
    t.type(b"exit\n")
    t.end()
    t.close()


def child_of(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
        return int(f.read().split()[0])


for test in keys_and_end, sizes, ends, input_ends, hangup, slow, under_a_shell:
    test()
