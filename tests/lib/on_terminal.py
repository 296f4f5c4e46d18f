"""A program on a terminal of its own, for tests of live views."""
import os
import pty
import sys
import threading
import time

MAX_WAIT = 60


class OnTerminal:
    def __init__(self, command):
        self.seen = []
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "vt100"
            os.execv(command[0], command)
        self.reader = threading.Thread(target=self.read_all, daemon=True)
        self.reader.start()

    def read_all(self):
        try:
            while part := os.read(self.terminal, 1 << 16):
                self.seen.append(part)
        except OSError:
            pass

    def bytes(self):
        return b"".join(self.seen)

    def text(self):
        return self.bytes().decode(errors="replace").replace("\r", "")

    def press(self, keys):
        os.write(self.terminal, keys)

    def end(self):
        """Its exit status."""
        _, status = os.waitpid(self.pid, 0)
        self.reader.join(10)
        return os.waitstatus_to_exitcode(status)


def until(what, holds):
    end = time.monotonic() + MAX_WAIT
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"waited {MAX_WAIT} s: {what}")
        time.sleep(0.02)
