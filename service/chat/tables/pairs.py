"""Names of tables that people can say: two words, `red-fox`, that never change and that no two of a home share."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from eventstore.store import home
from service.directory import Directory

_FIRST = tuple(
    """
    agile amber apple autumn azure basic bold brave breezy bright brisk broad bronze busy calm candid careful
    cheery chief chilly civic clear clever cloudy cobalt cool copper coral cosy cotton creamy crisp crystal
    daily dapper dewy direct dizzy double dreamy eager early easy electric elegant endless equal evening fair
    famous fancy fast fine first fluffy fond free fresh frosty funny gentle giant gifted glad golden good
    grand grassy green happy hardy honest humble icy ideal indigo jade jolly jumbo keen kind large lavish
    leafy light lilac lively local loud loyal lucky lunar magic major maple marble mellow merry mighty mild
    minty misty modest morning mossy neat nifty nimble noble olive opal open orange paper pearly perky pink
    plain polite proud purple quick quiet rapid ready red rosy royal ruby rustic sandy scarlet sharp shiny
    silent silver simple sleepy smart snowy soft solar solid speedy spicy spring steady still sunny super
    sweet swift tall tidy tiny topaz true upper velvet violet vivid warm wavy west white wild wise witty
    yellow young zesty
    """.split()  # noqa: SIM905 - a list of strings would be a page
)
_SECOND = tuple(
    """
    ant ape badger bat beagle bear beaver bee beetle bird bison boar bobcat buck bunny camel canary cat
    cheetah chick cobra cod condor cougar cow crab crane cricket crow cub cuckoo deer dingo dodo dog dolphin
    donkey dove dragon duck eagle eel elk emu falcon fawn ferret finch fish fox frog gecko gibbon giraffe goat
    goose gopher gorilla grouse gull hamster hare hawk hedgehog hen heron hippo hornet horse hound husky ibex
    ibis iguana impala jackal jaguar jay kiwi koala lamb lark lemur leopard lion lizard llama lobster lynx
    magpie mole moose moth mouse mule newt octopus okapi orca oriole otter owl ox oyster panda panther parrot
    peacock pelican penguin pigeon pony puffin puma quail rabbit raven robin salmon seal shark sheep shrew
    shrimp skunk sloth snail spaniel sparrow squid stork swallow swan tapir terrier tiger toad trout turtle
    viper walrus weasel whale wolf wombat wren yak zebra
    """.split()  # noqa: SIM905 - a list of strings would be a page
)
_STORED = "pairs"
_TRIED = 3  # candidates of a table without a pair among which it is looked for
NEWEST = 200  # of a home's tables: with more than that nobody says the name of the first
PAIR = re.compile(r"[a-z]{2,12}-[a-z]{2,12}")


def candidates(table: str) -> Iterator[str]:
    """The pairs that a table may have, the best first; the same for ever, and each of them once in a while again."""
    number = 0
    while True:
        drawn = int.from_bytes(hashlib.sha256(f"{table} {number}".encode()).digest()[:8], "big")
        yield f"{_FIRST[drawn % len(_FIRST)]}-{_SECOND[drawn // len(_FIRST) % len(_SECOND)]}"
        number += 1


def pair(table: str, taken: Collection[str] = ()) -> str:
    """The first of a table's candidates that is not `taken`."""
    return next(found for found in candidates(table) if found not in taken)


def split(text: str) -> tuple[str | None, str]:
    """The pair that a command's text begins with, and the rest: `red-fox QS` -> (`red-fox`, `QS`); else (None, all)."""
    first, _, rest = text.partition(" ")
    known = PAIR.fullmatch(first.lower())
    if known is None:
        return None, text
    one, two = first.lower().split("-")
    return (first.lower(), rest.strip()) if one in _FIRST and two in _SECOND else (None, text)


class Pairs:
    """The pairs of tables, kept in the directory; those that were asked for are held in memory."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._known: dict[str, str] = {}

    async def of(self, table: str) -> str:
        """The table's pair: given at the first call, to no two tables of a home (of the newest `NEWEST`)."""
        known = await self._stored(table)
        if known is None:
            others = [name for name in (await self._directory.tables(home(table)))[-NEWEST:] if name != table]
            taken = {held for name in others if (held := await self._stored(name)) is not None}
            known = await self._directory.first(_STORED, table, pair(table, taken))
        self._known[table] = known
        return known

    async def find(self, said: str, tables: Iterable[str]) -> list[str]:
        """Those of the tables that are called this; of one home there is one at most."""
        found = []
        for name in tables:
            known = await self._stored(name)
            if known is None and said in islice(candidates(name), _TRIED):  # never shown yet: being asked for names it
                known = await self.of(name)
            if known == said:
                found.append(name)
        return found

    async def _stored(self, table: str) -> str | None:
        known = self._known.get(table) or await self._directory.get(_STORED, table)
        if known is not None:
            self._known[table] = known
        return known
