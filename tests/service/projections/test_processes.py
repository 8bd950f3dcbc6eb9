"""Processes that help with a rebuild end with the one that began it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.eventstore.processes import ROOT, ended, running

# Starts two helpers, says their process ids, and then waits with them for ever.
_FIRST = """
import multiprocessing, os, time
from concurrent.futures import ProcessPoolExecutor
from service.projections.bulk import _prepare

if __name__ == "__main__":
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), _prepare) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        pool.submit(time.sleep, 600).result()
"""


def test_nobody_is_left_when_the_first_process_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "first.py"
    program.write_text(_FIRST)
    first = subprocess.Popen(
        [sys.executable, str(program)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert first.stdout is not None
    with first.stdout:
        helper = int(first.stdout.readline())
        assert running(helper)
        first.send_signal(signal.SIGKILL)
        first.wait()
        first.stdout.read()  # returns when the last of them, which all hold this pipe, has ended
    assert ended(helper)
