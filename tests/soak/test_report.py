"""docs/reliability.md: its commands exist, and every proof has its place in it."""

from __future__ import annotations

import re

import pytest

from service.cli import app
from tests.soak.__main__ import PROOFS, main
from tests.soak.report import DOCUMENT, between
from tests.test_docs import every_command

ROOT = DOCUMENT.parents[1]
TEXT = DOCUMENT.read_text("utf-8")


@pytest.mark.parametrize("name", PROOFS)
def test_every_proof_has_its_figures_in_the_document(name: str) -> None:
    figures = between(name, TEXT)
    assert figures.count("|") > 10
    assert f"python -m tests.soak {name}" in TEXT


def test_every_proof_that_the_document_names_is_one() -> None:
    named = re.findall(r"<!-- soak (\w+) -->|python -m tests\.soak (\w+)|make soak ARGS=\"([\w ]+)\"", TEXT)
    by_itself = {"month"}  # `make month`
    assert {word for found in named for names in found for word in names.split()} == set(PROOFS) | by_itself


def test_the_documents_tests_are_there() -> None:
    files = re.findall(r"tests/[\w/]+\.py", TEXT)
    assert len(files) > 5
    assert [file for file in files if not (ROOT / file).is_file()] == []
    assert [file for file in re.findall(r"`(eventstore/\w+\.py)`", TEXT) if not (ROOT / file).is_file()] == []


def test_the_documents_targets_and_commands_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"`make (\w+)", TEXT))
    assert {"soak", "test"} <= targets
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, flags=re.MULTILINE)] == []
    commands = [name for name, _ in every_command(app)]
    said = re.findall(r"tabletalk ([a-z ]+)", TEXT)
    assert len(said) > 3
    assert [words for words in said if not any(words.strip().startswith(name) for name in commands)] == []


def test_the_figures_that_must_be_nought_are() -> None:
    for name in PROOFS:
        for what in ("not there as it was", "more than once", "faults of chains", "out of order", "find fault with"):
            for row in between(name, TEXT).splitlines():
                assert what not in row or row.endswith("| 0 |"), row


def test_a_proof_that_is_none_is_a_wrong_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["nonsense"])
    assert ended.value.code == 2
    assert "there are: tampering, crash, torn, two_writers" in capsys.readouterr().err
