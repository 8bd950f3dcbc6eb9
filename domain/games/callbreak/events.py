"""What happens in a set of Call Break: its events, declared storage."""

from __future__ import annotations

import msgspec


class Offence(msgspec.Struct, frozen=True, array_like=True):
    """A play against the rules (CB-50): the trick (from 1), what it is, the card played, and one that proves it."""

    trick: int
    label: str  # revoke, fail_to_trump, fail_to_beat
    card: int
    proof: int


class TrumpShown(msgspec.Struct, frozen=True, tag="callbreak.trump_shown", omit_defaults=True):
    """The dealer showed the last card dealt; its suit is trump (CB-12)."""

    seat: int
    card: int


class DealVoided(msgspec.Struct, frozen=True, tag="callbreak.deal_voided", omit_defaults=True):
    """A hand that may not be played was found right after the deal (CB-15); the hands concerned are shown to all."""

    reasons: tuple[tuple[int, str], ...]
    hands: tuple[tuple[int, tuple[int, ...]], ...]


class Called(msgspec.Struct, frozen=True, tag="callbreak.called", omit_defaults=True):
    """A seat called (CB-20); `auto`: the clock called for it (CB-60)."""

    seat: int
    call: int
    auto: bool = False


class DealerChecked(msgspec.Struct, frozen=True, tag="callbreak.dealer_checked", omit_defaults=True):
    """The calls were too low to play; the dealer's cards were shown to all (CB-22, section 6)."""

    seat: int
    cards: tuple[int, ...]


class CardPlayed(msgspec.Struct, frozen=True, tag="callbreak.card_played", omit_defaults=True):
    """A seat played a card to the trick; `auto`: the clock played it (CB-60)."""

    seat: int
    card: int
    auto: bool = False


class TrickTaken(msgspec.Struct, frozen=True, tag="callbreak.trick_taken", omit_defaults=True):
    """A seat took trick number `trick`, from 1 (CB-37)."""

    seat: int
    trick: int


class Accused(msgspec.Struct, frozen=True, tag="callbreak.accused", omit_defaults=True):
    """`seat` accused another of what he played to a trick: not proved yet, unless a conviction follows (CB-55)."""

    seat: int
    accused: int
    trick: int


class FoundFalse(msgspec.Struct, frozen=True, tag="callbreak.found_false", omit_defaults=True):
    """All cards are played, and nothing proves the accusation (CB-55)."""

    seat: int
    accused: int
    trick: int


class Convicted(msgspec.Struct, frozen=True, tag="callbreak.convicted", omit_defaults=True):
    """A seat played against the rules (CB-50, CB-54): where, and the play that completed the proof: trick and seat."""

    seat: int
    offences: tuple[Offence, ...]
    trick: int
    by: int


class HandsOpened(msgspec.Struct, frozen=True, tag="callbreak.hands_opened", omit_defaults=True):
    """The set is void for cheating: the cards that were left are shown to all (CB-54, section 6)."""

    hands: tuple[tuple[int, tuple[int, ...]], ...]


class VoteOpened(msgspec.Struct, frozen=True, tag="callbreak.vote_opened", omit_defaults=True):
    """The others vote on whether the dealer hid a call (CB-56); `worth`: what his cards are worth by the estimate."""

    seat: int
    worth: int


class Voted(msgspec.Struct, frozen=True, tag="callbreak.voted", omit_defaults=True):
    """A seat's vote on the dealer; `auto`: its time was over, which counts as not guilty."""

    seat: int
    guilty: bool
    auto: bool = False


class CallJudged(msgspec.Struct, frozen=True, tag="callbreak.call_judged", omit_defaults=True):
    """Whether the dealer hid a call (CB-56): by which test, how many tricks his cards are worth by it, and what was
    counted: (`ace` | `king` | `trump`, card), (`ruffs`, how many tricks he can trump)."""

    seat: int
    test: str
    call: int
    worth: int
    counted: tuple[tuple[str, int], ...]
    guilty: bool


class Confirmed(msgspec.Struct, frozen=True, tag="callbreak.confirmed", omit_defaults=True):
    """A seat confirmed the result; `auto`: its time to object was over."""

    seat: int
    auto: bool = False


Dealing = TrumpShown | DealVoided | Called | DealerChecked
Judging = Accused | FoundFalse | Convicted | HandsOpened | VoteOpened | Voted | CallJudged | Confirmed
Event = Dealing | CardPlayed | TrickTaken | Judging
EVENTS: tuple[type, ...] = (
    *(TrumpShown, DealVoided, Called, DealerChecked, CardPlayed, TrickTaken),
    *(Accused, FoundFalse, Convicted, HandsOpened, VoteOpened, Voted, CallJudged, Confirmed),
)
LATE: frozenset[type] = frozenset({Accused, FoundFalse, Convicted, HandsOpened})
"""What may happen to a set after its end (CB-55)."""
