"""What is sealed opens with the same key and context only; the key's file is for its owner alone."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.sealing import Sealer, WrongKey, derived_seed, new_seed, sealer
from service.settings import BadSetting, Settings

KEY = bytes(range(32))


def test_a_seed_opens_with_its_key_and_context() -> None:
    sealed = Sealer(KEY).seal(b"seed", b"commitment")
    assert b"seed" not in sealed
    assert Sealer(KEY).open(sealed, b"commitment") == b"seed"


@pytest.mark.parametrize(
    ("key", "context", "change"),
    [(bytes(32), b"c", 0), (KEY, b"other", 0), (KEY, b"c", 1)],
    ids=["another key", "another context", "a changed byte"],
)
def test_it_opens_with_nothing_else(key: bytes, context: bytes, change: int) -> None:
    sealed = bytearray(Sealer(KEY).seal(b"seed", b"c"))
    sealed[-1] ^= change
    with pytest.raises(WrongKey):
        Sealer(key).open(bytes(sealed), context)


def test_too_short_a_text_is_not_a_sealed_one() -> None:
    with pytest.raises(WrongKey):
        Sealer(KEY).open(b"", b"c")


def test_the_key_is_made_once_in_a_file_for_its_owner_alone(tmp_path: Path) -> None:
    settings = Settings(tabletalk_data=str(tmp_path / "data"))
    first = sealer(settings)
    path = tmp_path / "data" / "seal.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sealer(settings).check == first.check
    assert [file.name for file in path.parent.iterdir()] == ["seal.key"]


def test_processes_that_start_at_once_use_one_key(tmp_path: Path) -> None:
    settings = Settings(tabletalk_data=str(tmp_path))
    with ThreadPoolExecutor(8) as pool:
        checks = {made.check for made in pool.map(lambda _: sealer(settings), range(16))}
    assert len(checks) == 1


def test_the_key_of_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    settings = Settings(tabletalk_data=str(tmp_path), tabletalk_key=KEY.hex())
    assert sealer(settings).check == Sealer(KEY).check
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["secret", "00" * 31, "00" * 33, "zz" * 32])
def test_a_key_that_is_none_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(BadSetting, match="TABLETALK_KEY") as caught:
        sealer(Settings(tabletalk_key=text))
    assert text not in str(caught.value)


def test_a_broken_key_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "seal.key").write_bytes(b"\xff\xfe broken")
    with pytest.raises(BadSetting, match=r"seal\.key"):
        sealer(Settings(tabletalk_data=str(tmp_path)))


def test_derived_seeds_follow_from_the_master_and_differ_by_game_and_number() -> None:
    seeds = [derived_seed(b"\x00\xff", game, number) for game in range(3) for number in range(1, 4)]
    assert len(set(seeds)) == 9
    assert all(len(seed) == 32 for seed in seeds)
    assert derived_seed(b"\x00\xff", 0, 1).hex() == "2bfed132f1c3c9bf554cf6446e3c2a3da5eb33e015c3a5b550e2d7ec160db161"


def test_new_seeds_are_32_bytes_and_never_the_same() -> None:
    assert len({new_seed() for _ in range(100)}) == 100
    assert len(new_seed()) == 32
