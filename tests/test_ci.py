"""What continuous integration does with tests that failed (docs/decisions/0021)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TESTS = "from pathlib import Path\n" + "\n".join(
    f"def test_{number}():\n    assert {number} >= int(Path('failing').read_text())" for number in range(6)
)

AGAIN = ("-n", "0", "--last-failed", "--last-failed-no-failures=none")


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(folder, "-m", "pytest", "-q", *arguments)


@pytest.mark.parametrize(("failing", "again"), [(0, False), (1, True), (3, True), (4, False)])
def test_a_few_tests_that_failed_are_named_and_run_again_and_no_others(
    tmp_path: Path, failing: int, *, again: bool
) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "failing").write_text(str(failing))
    assert pytest_in(tmp_path, "-n", "2").returncode == (1 if failing else 0)
    named = run(tmp_path, str(ROOT / ".ci" / "failed.py"), "--most", "3")
    assert named.returncode == (0 if again else 1)
    assert named.stdout.split() == [f"test_some.py::test_{number}" for number in range(failing)]
    second = pytest_in(tmp_path, *AGAIN)
    assert second.returncode == (1 if failing else 5)
    (tmp_path / "failing").write_text("0")
    if failing:
        healed = pytest_in(tmp_path, *AGAIN)
        assert healed.returncode == 0
        assert f"{failing} passed" in healed.stdout
