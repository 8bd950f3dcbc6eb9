"""docs/verify.html as somebody uses it: opened from the disk, given a file, and read."""

from __future__ import annotations

from pathlib import Path

from tests.fair.browser import Browser

PAGE = Path(__file__).parents[2] / "docs" / "verify.html"
PRINT = "document.getElementById('print')"
VERDICT = "document.getElementById('verdict').hidden ? '' : document.getElementById('verdict').innerText"


def verdict(browser: Browser, file: Path) -> str:
    """What the page says of a file that is chosen."""
    browser.opens(PAGE)
    browser.chooses("#file", file)
    return str(browser.waits(VERDICT))
