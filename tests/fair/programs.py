"""The programs of others that these tests need, Node and Chromium: where one is missing they are skipped, not in CI."""

from __future__ import annotations

import os
import shutil

import pytest


def program(*names: str) -> str:
    """The path of the first of them that is installed; `.ci/run` installs what is missing."""
    found = next((path for name in names if (path := shutil.which(name)) is not None), None)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(f"{names[0]} is missing, which continuous integration has to have: see .ci/run")
        pytest.skip(f"{names[0]} is not installed (on Debian: apt-get install {names[0]})")
    return found


def node() -> str:
    """Node, of Debian's version or newer."""
    return program("nodejs", "node")


def chromium() -> str:
    """A Chromium without a window."""
    return program("chromium", "chromium-browser", "google-chrome")
