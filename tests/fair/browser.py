"""A real Chromium without a window, driven over its own pipe (Chrome DevTools Protocol): no driver, no dependency."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PATIENCE = 60  # seconds for an answer, and for a page to come to what is waited for


# The protocol is spoken on the descriptors 3 and 4, wherever our ends of the pipes are.
_ON_3_AND_4 = """import fcntl, os, sys
held = [fcntl.fcntl(int(one), fcntl.F_DUPFD, 10) for one in sys.argv[1:3]]
for place, one in zip((3, 4), held):
    os.dup2(one, place)
    os.close(one)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """A browser with one page. Use as a context; `calls` gives the answer of a method of the protocol."""

    def __init__(self, program: str, profile: Path) -> None:
        self.requested: list[str] = []
        self._loaded: set[str] = set()  # documents, by the id of their loading
        self._number = 0
        self._held = b""
        self._session = ""
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        options = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            f"--user-data-dir={profile}",
            "--remote-debugging-pipe",
        ]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _ON_3_AND_4, str(theirs_in), str(theirs_out), program, *options, "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)

    def __enter__(self) -> Browser:
        target = self.calls("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.calls("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "DOM", "Runtime", "Network"):
            self.calls(f"{domain}.enable")
        self.calls("Page.setLifecycleEventsEnabled", enabled=True)
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._session = ""
            self.calls("Browser.close")
        finally:
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            os.close(self._out)
            os.close(self._in)

    def calls(self, method: str, **arguments: Any) -> dict[str, Any]:
        """The answer to a method; notes on the way what the page requested."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": arguments}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            said = self._heard()
            if said.get("id") == self._number:
                assert "error" not in said, said["error"]
                found: dict[str, Any] = said["result"]
                return found

    def _heard(self) -> dict[str, Any]:
        """What the browser says next; notes what it is about."""
        said = self._message()
        match said.get("method"):
            case "Network.requestWillBeSent":
                self.requested.append(said["params"]["request"]["url"])
            case "Page.lifecycleEvent" if said["params"]["name"] == "load":
                self._loaded.add(said["params"]["loaderId"])
        return said

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._held:
            ready, _, _ = select.select([self._in], [], [], PATIENCE)
            assert ready, "the browser does not answer"
            more = os.read(self._in, 1 << 20)
            assert more, "the browser is gone"
            self._held += more
        line, _, self._held = self._held.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        return found

    def runs(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.calls("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def waits(self, script: str) -> Any:
        """The value of an expression, once it is a true one."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := self.runs(script):
                return found
            time.sleep(0.02)
        raise AssertionError(f"never came true: {script}")

    def opens(self, page: Path) -> None:
        """Opens a file as a person does who has it on the disk; anew, if it is open already."""
        loader = self.calls("Page.navigate", url=page.as_uri())["loaderId"]
        while loader not in self._loaded:
            self._heard()

    def chooses(self, selector: str, file: Path) -> None:
        """Picks a file in a file input."""
        root = self.calls("DOM.getDocument")["root"]["nodeId"]
        field = self.calls("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.calls("DOM.setFileInputFiles", nodeId=field, files=[str(file)])

    def drops(self, selector: str, file: Path) -> None:
        """Drags a file onto an element and lets it fall."""
        middle = f"(({selector!r}, document.querySelector({selector!r})).getBoundingClientRect())"
        x, y = self.runs(f"(box => [box.x + box.width / 2, box.y + box.height / 2])({middle})")
        data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.calls("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def presses(self, key: str, code: int) -> None:
        """A key, down and up."""
        text = {"text": "\r"} if key == "Enter" else {}
        self.calls("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, **text)
        self.calls("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)
