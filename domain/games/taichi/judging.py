"""Whether a word is valid, and why not (TC-22 to TC-25, TC-40 to TC-42)."""

from __future__ import annotations

import msgspec

from domain.game import Brought, Rejected
from domain.games.taichi import fit
from domain.games.taichi.state import Set

LENIENT = frozenset({"verb_form", "plural_or_verb_form", "proper_noun"})
"""What is no reason to refuse a word under `lenient` (TC-42)."""


class Against(msgspec.Struct, frozen=True):
    """Why a word that fits is refused for its own sake: a reason of the dictionary's, with the word that it is a form
    of, `same_family`, with the word that was said, or `overruled` (TC-43)."""

    code: str
    of: str = ""


def judge(state: Set, word: str, brought: Brought) -> Against | None:
    """None for a valid word, else what is against it: nothing where no dictionary is asked, a record says it is valid.

    Rejected where the cards refuse it (`domain.games.taichi.fit`), or `already_said`.
    """
    _check_fit(state, word)
    for said in state.words:
        if said.word == word:
            raise Rejected("already_said", clause="TC-41", word=word, seat=said.seat)
    ruling = brought.verdict
    if ruling is None:
        return None
    by_players = {(one.word, one.of): one.counts for one in (*state.kept, *state.ruled)}
    if brought.told:  # a record does not say when it was decided that a word counts
        by_players |= {(one.word, one.of): True for one in state.kept if one.counts}
    reason = "" if ruling.reason in LENIENT and state.options.lenient else ruling.reason
    if not by_players.get((word, ""), ruling.accepted or not reason):
        return Against(reason, ruling.of) if reason else Against("overruled")
    for said in state.words:
        if not set(said.families).isdisjoint(ruling.families) and not by_players.get((word, said.word), False):
            return Against("same_family", said.word)
    return None


def _check_fit(state: Set, word: str) -> None:
    """What is wrong with a card that others do not see yet is for nobody else's eyes: it has a code of its own."""
    fit.check(word, state.open)
    if state.card is None:
        return
    try:
        fit.check(word, (*state.open, state.card))
    except Rejected as refusal:
        raise Rejected("own_card_missing", clause=refusal.clause, **refusal.values) from None
