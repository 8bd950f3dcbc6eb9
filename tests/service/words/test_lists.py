"""The file of a dictionary: what is written is read again, and what is no such file is refused."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

import msgspec
import pytest

from service.words import Dictionary, lists, one_family


def written(path: Path) -> Dictionary:
    lists.write(
        path,
        "test-1",
        heads=["mouse", "mousy", "sign", "signal", "ete", "run"],
        families=[{"mouse", "mousy"}, {"sign", "unknown"}],
        forms={
            "mice": ("plural", "mouse"),
            "runs": ("plural_or_verb_form", "run"),
            "went": ("verb_form", "go"),
            "kg": ("abbreviation", ""),
            "sign": ("plural", "run"),
            "etes": ("plural", "ete"),
        },
        common=["run", "mouse", "mousy"],
        spelled={"ete": "été", "run": "run"},
    )
    return Dictionary.load(path)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    judge = written(tmp_path / "a.words")
    assert judge.name == "test-1"
    assert len(judge) == 6
    assert judge.rule("mouse").accepted
    assert judge.rule("sign").accepted  # a headword, though it was given as a form too
    assert (judge.rule("mice").reason, judge.rule("mice").of) == ("plural", "mouse")
    assert (judge.rule("went").reason, judge.rule("went").of) == ("verb_form", "go")
    assert (judge.rule("kg").reason, judge.rule("kg").of) == ("abbreviation", "")
    assert judge.common("m") == ("mouse", "mousy")
    assert judge.common("z") == ()


def test_spelling_is_shown_where_it_is_not_plain(tmp_path: Path) -> None:
    judge = written(tmp_path / "a.words")
    assert judge.rule("ÉTÉ").shown == "été"
    assert judge.rule("étés").of == "été"
    assert judge.rule("run").shown == ""


def test_two_words_of_a_group_are_one_family_and_a_word_is_of_its_own(tmp_path: Path) -> None:
    judge = written(tmp_path / "a.words")
    assert one_family(judge.rule("mouse"), judge.rule("mousy"))
    assert one_family(judge.rule("mice"), judge.rule("mousy"))
    assert one_family(judge.rule("signal"), judge.rule("signal"))
    assert one_family(judge.rule("Paris"), judge.rule("paris"))
    assert not one_family(judge.rule("sign"), judge.rule("signal"))
    assert not one_family(judge.rule("paris"), judge.rule("rome"))


def test_the_same_lists_give_the_same_bytes(tmp_path: Path) -> None:
    written(tmp_path / "a.words")
    written(tmp_path / "b.words")
    assert (tmp_path / "a.words").read_bytes() == (tmp_path / "b.words").read_bytes()


def test_every_line_of_a_block_is_found_and_nothing_else() -> None:
    rolled = random.Random(5)
    words = sorted({"".join(rolled.choices("abc", k=rolled.randint(1, 6))) for _ in range(300)})
    kept = words[::2]
    block = b"\n".join(f"{word} {word.upper()}".encode() for word in kept)
    assert [lists.line(block, word) for word in kept] == [word.upper() for word in kept]
    assert {lists.line(block, word) for word in words[1::2]} == {None}
    assert lists.line(b"", "a") is None


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.words"
    path.write_bytes(b"no list")
    with pytest.raises(lists.BadLists):
        lists.read(path)
    path.write_bytes(zlib.compress(b"no list"))
    with pytest.raises(lists.BadLists):
        lists.read(path)


def test_a_file_of_another_format_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "next.words"
    written(path)
    newer = msgspec.structs.replace(lists.read(path), format="tabletalk-words/2")
    path.write_bytes(zlib.compress(msgspec.msgpack.encode(newer)))
    with pytest.raises(lists.BadLists, match=r"next\.words.*tabletalk-words/2"):
        lists.read(path)
