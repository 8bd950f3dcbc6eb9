"""The documented shuffle: the published vectors, twice over, and that it is fair and complete."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import cards, shuffle
from domain.game import Rejected
from domain.shuffle import NO_MOVES, Given, Seeded, commitment, digest_of

PAGE = Path(__file__).parents[2].joinpath("docs/decisions/0003-shuffle.md").read_text("utf-8")
SEED = bytes(range(32))


def _vector(name: str) -> str:
    """A value of the page's table."""
    found = re.search(rf"^\| {re.escape(name)} \| `([^`]+)` \|$", PAGE, re.MULTILINE)
    assert found, f"the page has no vector: {name}"
    return found[1]


def _pack(title: str) -> list[str]:
    """A pack that the page prints."""
    found = re.search(rf"^The pack, {re.escape(title)}:\n\n((?:    .+\n?)+)", PAGE, re.MULTILINE)
    assert found, f"the page has no pack: {title}"
    return found[1].split()


# The algorithm again, from the page alone.


def _key(label: str, digest: bytes = NO_MOVES) -> bytes:
    return hmac.new(SEED, digest + label.encode(), hashlib.sha256).digest()


def _block(key: bytes, index: int) -> bytes:
    return hmac.new(key, index.to_bytes(8, "big"), hashlib.sha256).digest()


def _words(key: bytes) -> Iterator[int]:
    for index in itertools.count():
        block = _block(key, index)
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))


def _below(n: int, words: Iterator[int]) -> int:
    return next(word for word in words if word < 2**32 - 2**32 % n) % n


def _shuffle(items: list[str], label: str, digest: bytes = NO_MOVES) -> list[str]:
    words = _words(_key(label, digest))
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = _below(last + 1, words)
        items[last], items[other] = items[other], items[last]
    return items


_SORTED = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]


def test_the_page_says_what_a_seed_is_promised_by() -> None:
    assert commitment(SEED).hex() == hashlib.sha256(SEED).hexdigest() == _vector("commitment")


@pytest.mark.parametrize("label", ["deal:1", "dealer"])
def test_keys_and_blocks_are_those_of_the_page(label: str) -> None:
    assert _key(label).hex() == _vector(f"key, `{label}`")
    assert _block(_key(label), 0).hex() == _vector(f"block 0, `{label}`")


def test_words_are_those_of_the_page() -> None:
    assert [str(word) for word in itertools.islice(_words(_key("deal:1")), 8)] == _vector("words, `deal:1`").split()


@pytest.mark.parametrize("n", [52, 6, 2**31 + 1])
def test_numbers_below_n_are_those_of_the_page(n: int) -> None:
    words, ours = _words(_key("deal:1")), shuffle._words(_key("deal:1"))
    wanted = _vector(f"below({n}), `deal:1`").split()
    assert [str(_below(n, words)) for _ in range(6)] == wanted
    assert [str(shuffle._below(n, ours)) for _ in range(6)] == wanted


@pytest.mark.parametrize("label", ["deal:1", "deal:2"])
def test_a_whole_pack_is_that_of_the_page(label: str) -> None:
    ours = [cards.name(card) for card in Seeded(SEED, NO_MOVES).order(label, cards.PACK)]
    assert ours == _pack(f"`{label}`") == _shuffle(_SORTED, label)


def test_a_cut_makes_the_pack_of_the_page() -> None:
    digest = digest_of(NO_MOVES, "1 cut_deck 17")
    assert digest.hex() == _vector("digest after `1 cut_deck 17`")
    assert digest_of(digest, "3 play QS").hex() == _vector("and then `3 play QS`")
    ours = [cards.name(card) for card in Seeded(SEED, digest).order("deal:1", cards.PACK)]
    assert ours == _pack("`deal:1`, after the cut `1 cut_deck 17`") == _shuffle(_SORTED, "deal:1", digest)


def test_the_seats_are_shuffled_as_on_the_page() -> None:
    assert " ".join(map(str, Seeded(SEED, NO_MOVES).order("dealer", range(4)))) == _vector("seats, `dealer`")


def test_the_page_tells_the_algorithm_of_the_module() -> None:
    module = Path(__file__).parents[2].joinpath("domain/shuffle.py").read_text("utf-8")
    for line in re.findall(r"^    (?:key|block|stream|below|shuffle)\b.*$", PAGE, re.MULTILINE):
        assert line in module


@settings(max_examples=50, deadline=None)
@given(seed=st.binary(min_size=32, max_size=32), label=st.text(max_size=20), count=st.integers(0, 60))
def test_a_shuffle_loses_and_doubles_nothing_and_repeats_itself(seed: bytes, label: str, count: int) -> None:
    order = Seeded(seed, NO_MOVES).order(label, range(count))
    assert sorted(order) == list(range(count))
    assert order == Seeded(seed, NO_MOVES).order(label, range(count))


def test_every_order_of_four_comes_about_equally_often() -> None:
    """Fixed seeds, so the figure is always the same: chi-square of 24 orders, 23 degrees of freedom."""
    found = Counter(Seeded(number.to_bytes(32, "big"), NO_MOVES).order("dealer", range(4)) for number in range(6000))
    assert len(found) == 24
    assert sum((count - 250) ** 2 / 250 for count in found.values()) < 49.7  # 0.999


def test_the_seed_the_digest_and_the_label_each_change_the_order() -> None:
    orders = {
        Seeded(seed, digest).order(label, cards.PACK)
        for seed in (SEED, bytes(32))
        for digest in (NO_MOVES, b"x" * 32)
        for label in ("deal:1", "deal:2", "reshuffle:1")
    }
    assert len(orders) == 12


def test_a_given_pack_must_be_the_pack() -> None:
    given_pack = Given({"deal:1": (2, 0, 1)})
    assert given_pack.order("deal:1", range(3)) == (2, 0, 1)
    for label, items in (("deal:2", range(3)), ("deal:1", range(4)), ("deal:1", range(2))):
        with pytest.raises(Rejected, match="wrong_pack"):
            given_pack.order(label, items)
