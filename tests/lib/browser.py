"""browser: headless Chromium by its debugging pipe: pages of a size and a colour scheme, script in them, pictures of them.

    with Browser(profile_folder) as b:
        b.show("http://127.0.0.1:8080/", width=320, height=640, dark=True)
        b.wait("document.title !== ''")
        b.picture("page.png")
"""
import base64
import fcntl
import json
import os
import select
import subprocess
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--disable-quic", "--hide-scrollbars", "--remote-debugging-pipe"]


class Browser:
    def __init__(self, profile):
        to_read, self.to = os.pipe()
        self.fro, to_write = os.pipe()

        def place():  # Chromium reads 3 and writes 4
            high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (to_read, to_write)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(["chromium", *FLAGS, f"--user-data-dir={profile}", "about:blank"], close_fds=False, preexec_fn=place,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.bytes, self.number, self.session, self.said = b"", 0, None, []

    def __enter__(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log", "Network", "Accessibility":
            self.call(domain + ".enable")
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close", patience=5)
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait()

    def message(self, until):
        while b"\0" not in self.bytes:
            if not select.select([self.fro], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser says nothing")
            more = os.read(self.fro, 1 << 16)
            if not more:
                raise EOFError("the browser has ended")
            self.bytes += more
        one, self.bytes = self.bytes.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, patience=120, **params):
        """One command; what the page says on its console meanwhile is kept in said."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.to, json.dumps(command).encode() + b"\0")
        until = time.monotonic() + patience
        while True:
            m = self.message(until)
            if m.get("id") == self.number:
                if "error" in m:
                    raise RuntimeError(f"{method}: {m['error']['message']}")
                return m["result"]
            self.note(m)

    def note(self, m):
        p = m.get("params", {})
        if m.get("method") == "Runtime.exceptionThrown":
            d = p["exceptionDetails"]
            self.said.append(d.get("exception", {}).get("description", d["text"]))
        elif m.get("method") == "Log.entryAdded":
            self.said.append(p["entry"]["text"])
        elif m.get("method") == "Network.requestWillBeSent":
            self.asked.append(p["request"]["url"])

    asked = []

    def show(self, url, width, height, dark=False, scale=2):
        self.shape(width, height, dark, scale)
        self.call("Page.navigate", url=url)

    def shape(self, width, height, dark=False, scale=2):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def ask(self, script):
        """The value of an expression in the page; of a promise, what becomes of it."""
        r = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in r:
            raise RuntimeError(r["exceptionDetails"]["exception"].get("description", script))
        return r["result"].get("value")

    def wait(self, script, patience=120):
        until = time.monotonic() + patience  # while a page is loading nothing is there
        while not self.ask(f"(() => {{ try {{ return !!({script}); }} catch (e) {{ return false; }} }})()"):
            if time.monotonic() > until:
                raise TimeoutError(f"never so: {script}")
            time.sleep(0.05)

    def key(self, key, shift=False):
        text = key if len(key) == 1 else ""
        for kind in "keyDown", "keyUp":
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "", modifiers=8 if shift else 0)

    def names(self):
        """What a screen reader is told: [(role, name)]."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n.get("ignored")]

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))
