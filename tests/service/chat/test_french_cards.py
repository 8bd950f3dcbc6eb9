"""Cards in the reader's language: a French table shows R D V wherever it shows a card, and reads what it shows."""

from __future__ import annotations

import io
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

from domain.commands import Move
from domain.decide import decide, legal
from domain.games import GAMES
from domain.games.callbreak.events import CallJudged, Convicted, HandsOpened
from domain.games.callbreak.events import Offence as Played
from domain.premoves import Plan
from domain.rejected import Rejected
from domain.table import Table, View, observe
from service.chat.api.post import Post, Press
from service.chat.board import lately, show
from service.chat.board.around import Around
from service.chat.board.lately import Happened
from service.chat.hands import ephemeral, inline, premoves, reading
from service.reports.account import Automatic, Offence
from service.terminal.screen import COLOURS, Screen, coloured
from service.text import Texts, accounts, cards, history, language, languages, logbook, refusals
from tests.domain.play import SHORT, Sitting, started
from tests.service.chat.conftest import Running
from tests.service.chat.test_another_language import Abroad, seen
from tests.service.chat.test_logbook import KNOWN, stored
from tests.service.chat.test_plain_words import changed, playing, read

EN, FR = language("en"), language("fr")
NAMES = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal"]
FRENCH = {"K": "R", "Q": "D", "J": "V"}
OF_CARDS = sorted(game for game in GAMES if GAMES[game].word_of is None)
_CARD = re.compile(r"(?<![A-Za-z0-9])(10|[2-9A-Z])([♠♥♦♣])")
_NOTATION = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][SHDC](?![A-Za-z0-9])")
_EXAMPLE = re.compile(r"/[a-z]+(?: \d)?(?: [2-9TJQKA][SHDC])+|“[^”]*”|« ?[^»]* ?»|(?:QS|D♠), 10♥")


def named(text: str) -> Counter[str]:
    """The cards that a text shows."""
    return Counter(rank + suit for rank, suit in _CARD.findall(_EXAMPLE.sub("", text)))


def in_french(shown: Counter[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for card, times in shown.items():
        found[FRENCH.get(card[0], card[:-1]) + card[-1]] += times
    return found


def along(game: str, most: int) -> Iterator[Sitting]:
    """A game that is played at random, after each move."""
    sitting, rng = started(game, f"cards of {game}", **SHORT.get(game, {})), random.Random(game)
    for _ in range(most):
        yield sitting
        if sitting.state.phase != "playing":
            return
        sitting.any_move(rng)


def of_post(post: Post) -> list[str]:
    return [post.html, *(button.text for row in post.rows for button in row)]


def tokens(post: Post) -> list[Any]:
    return [button.token for row in post.rows for button in row if isinstance(button, Press)]


def posts(texts: Texts, sitting: Sitting) -> Iterator[Post]:
    """All messages that chats show of a table as it stands."""
    state = sitting.state
    names = NAMES[: len(state.seats)]
    tail = [Happened(number, "", event) for number, event in enumerate(sitting.events)]
    known = [one for one in tail if lately.known_to_all(state.rules, one.event)]
    moves = lately.moves(texts, state.rules, known, names, False)
    since = lately.since(texts, state.rules, known, names, False, "nobody", 0)
    around = Around(lately=tuple(moves), since=tuple(since))
    yield show.table(texts, observe(state, None), names, "tabletalk_bot", around)
    for seat in range(len(state.seats)):
        view = observe(state, seat)
        yield show.hand(texts, view, names, around)
        if state.phase == "playing":
            yield ephemeral.post(texts, view, names)
        if state.phase == "playing" and state.rules.word_of is None:
            yield premoves.panel(texts, state, seat)


def in_chats(texts: Texts, sitting: Sitting) -> Iterator[str]:
    """Every text about a table as it stands, in messages, on buttons, in the input line."""
    state = sitting.state
    names = NAMES[: len(state.seats)]
    for post in posts(texts, sitting):
        yield from of_post(post)
    for seat in range(len(state.seats)):
        if state.phase == "playing":
            for offer in inline.offers(texts, texts, state, seat, names, "tabletalk_bot"):
                yield from (offer.title, offer.description, offer.html)
            wishes = tuple(state.rules.notation(move) for move in legal(state, seat))[:3]
            yield premoves.shown(texts, state, Plan("p", state.sets, 0, wishes))


def own_hand(state: Table, seat: int) -> str:
    """The cards that a seat holds, in French."""
    zones = state.rules.scene(observe(state, seat).set).zones
    return " ".join(cards.hand(FR, zone) for zone in zones if zone.name == "hand" and zone.owner == seat)


def in_a_terminal(texts: Texts, view: View, names: list[str]) -> str:
    out = io.StringIO()
    screen = Screen(Console(file=out, width=200, soft_wrap=True, highlight=False), texts)
    scene = GAMES[view.game].scene(view.set)
    screen.table(view, scene, names)
    screen.hand(view, scene, names)
    return out.getvalue()


def refused(state: Table, sitting: Sitting) -> Iterator[Rejected]:
    """Why moves of every kind are refused, with every court card."""
    seat = sitting.asked()
    for word in (*state.rules.examples, ""):
        for card in ("KS", "QH", "JD", "K♣", "queen", "king", "2 KH", "KS KH", "5H 5C"):
            try:
                move = reading.read(state, seat, f"{word} {card}".strip())
                decide(state, sitting.command(state.seats[seat].owner, Move(move), seat))
            except Rejected as rejected:
                yield rejected


def same_cards(english: str, french: str) -> Counter[str]:
    """The cards of a text, which must be the same ones in both languages, and none in the notation."""
    assert in_french(named(english)) == named(french), f"{english!r} is {french!r}"
    assert not set(_NOTATION.findall(_EXAMPLE.sub("", french))) - set(_NOTATION.findall(_EXAMPLE.sub("", english)))
    return named(french)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_card_of_a_french_table_is_shown_in_french(game: str) -> None:
    """Chats, alerts, input lines, terminal, refusals, plans, history: the same cards in both languages, no K Q J."""
    found: Counter[str] = Counter()
    for number, sitting in enumerate(along(game, 60)):
        if number % 3:
            continue
        state = sitting.state
        names = NAMES[: len(state.seats)]
        for english, french in zip(in_chats(EN, sitting), in_chats(FR, sitting), strict=True):
            found += same_cards(english, french)
        for one, other in zip(posts(EN, sitting), posts(FR, sitting), strict=True):
            assert tokens(one) == tokens(other), "what a button says to us is in notation"
        for seat in range(len(state.seats)):  # of an alert the language leaves more or less room
            alert, hand = (named(show.peek(FR, observe(state, seat), names)), named(own_hand(state, seat)))
            assert hand.keys() <= alert.keys() <= named(in_a_terminal(FR, observe(state, seat), names)).keys()
        for seat in (None, *range(len(state.seats))):
            view = observe(state, seat)
            found += same_cards(in_a_terminal(EN, view, names), in_a_terminal(FR, view, names))
        if number % 12 == 0 and state.phase == "playing":
            for rejected in refused(state, sitting):
                found += same_cards(*(refusals.refusal(texts, rejected, names) for texts in (EN, FR)))
    assert not [card for card in found if card[0] in "KQJ"]
    court = {"chitchat": {"R"}, "taichi": set()}.get(game, {"R", "D", "V"})
    assert {card[0] for card in found} >= court, "the game came to no court cards"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_happened_at_a_french_table_is_told_in_french(game: str) -> None:
    """Each event by itself (`the dealer's cards`, melds that are laid, sets that are won) and the pages of the log."""
    *_, sitting = along(game, 500)
    state = sitting.state
    names, found = NAMES[: len(state.seats)], Counter[str]()
    for event in sitting.events:
        told = [" ".join(history.lines(texts, state.rules, event, names)) for texts in (EN, FR)]
        found += same_cards(*told)
    for number in range(1, state.sets + 1):
        logs = (logbook.chapter(texts, sitting.name, stored(sitting), KNOWN, number) for texts in (EN, FR))
        found += same_cards(*("\n".join(chapter.lines) for chapter in logs))
    assert not [card for card in found if card[0] in "KQJ"]
    assert game == "taichi" or {card[0] for card in found} & {*"RDV"}


def test_what_was_found_against_somebody_is_told_in_french() -> None:
    """Verdicts of honour in a chat, and the account of an audit."""
    rules = GAMES["callbreak"]
    king, queen, jack = (cards_of(rules, name) for name in ("KS", "QH", "JD"))
    convicted = Convicted(1, (Played(3, "revoke", queen, king),), 4, 2)
    judged = CallJudged(0, "estimate", 1, 3, (("king", king), ("ruffs", 2)), True)
    for event, shown in ((convicted, "D♥"), (judged, "R♠"), (HandsOpened(((0, (queen, jack)),)), "D♥")):
        line = history.line(FR, rules, event, NAMES[:4])
        assert line is not None
        assert shown in line
        same_cards(history.line(EN, rules, event, NAMES[:4]) or "", line)
    assert "D♥" in accounts.automatic(FR, [Automatic(7, 0, "play QH")], NAMES)[0]
    proof = Offence(1, "revoke", "play QH", 9, "KS", "play KS", 12, True)
    assert accounts.proof(FR, proof).startswith("R♠ ")


def cards_of(rules: Any, name: str) -> int:
    return next(number for number in range(52) if rules.card_name(number) == name)


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("game", OF_CARDS)
def test_every_move_can_be_written_as_it_is_shown(game: str, code: str) -> None:
    """By whoever reads the language; and where suits have their symbols by everybody else."""
    texts, written = language(code), set()
    for sitting in along(game, 60):
        state = sitting.state
        for seat in (seat for ask in state.rules.to_act(state.set) for seat in ask.seats):
            for move in legal(state, seat):
                text = cards.move(texts, state.rules.notation(move))
                written.add(text)
                assert reading.read(state, seat, text, code) == move, text
                assert reading.read(state, seat, text.lower(), code) == move, text
                assert reading.read(state, seat, text) == move, text
    assert len(written) > 20


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("D♥", "play QH"),
        ("♥D", "play QH"),
        ("d♥", "play QH"),
        ("D♥️", "play QH"),
        ("R♠", "play KS"),
        ("dame de cœur", "play QH"),
        ("D de cœur", "play QH"),
        ("D cœur", "play QH"),
        ("joue D♥", "play QH"),
        ("play V♦", "play JD"),
        ("DP", "play QS"),
        ("DC", "play QH"),
        ("dc", "play QH"),
        ("DK", "play QD"),
        ("DT", "play QC"),
        ("Rt", "play KC"),
        ("VT", "play JC"),
        ("joue vp", "play JS"),
        ("10P", "play TS"),
        ("9k", "play 9D"),
        ("AT", "play AC"),
        ("as de trèfle", "play AC"),
        # The notation is the notation, for French readers too.
        ("QS", "play QS"),
        ("play KD", "play KD"),
        ("9C", "play 9C"),
        ("AC", "play AC"),
        ("AS", "play AS"),
        ("TC", "play TC"),
        # So are English letters that mean nothing else.
        ("qs", "play QS"),
        ("jc", "play JC"),
        ("tc", "play TC"),
        ("9d", "play 9D"),
        ("d9", "play 9D"),
        ("queen of clubs", "play QC"),
        ("♠q", "play QS"),
    ],
)
def test_what_a_french_reader_writes_is_understood(text: str, move: str) -> None:
    state = playing().state
    assert state.rules.notation(reading.read(state, None, text, "fr")) == move


@pytest.mark.parametrize(("text", "move"), [("DK", "play KD"), ("dt", "play TD"), ("9c", "play 9C"), ("as", "play AS")])
def test_what_english_letters_mean_to_others_stays(text: str, move: str) -> None:
    assert read(playing().state, text) == move


@pytest.mark.parametrize("text", ["DP", "VT", "Rt", "d", "9k"])
def test_french_letters_mean_nothing_to_others(text: str) -> None:
    with pytest.raises(Rejected):
        reading.read(playing().state, None, text)


@pytest.mark.parametrize(("text", "found"), [("10c", ["play TC", "play TH"]), ("joue 9c", ["play 9C", "play 9H"])])
def test_a_letter_that_may_be_clubs_and_coeur_is_asked_back(text: str, found: list[str]) -> None:
    """What somebody meant is never guessed where a card is at stake that cannot be taken back."""
    state = playing().state
    with pytest.raises(Rejected) as caught:
        reading.read(state, None, text, "fr")
    assert (caught.value.kind, caught.value.values["candidates"]) == ("ambiguous", found)
    shown = [cards.move(FR, candidate) for candidate in found]
    assert all(one in refusals.refusal(FR, caught.value) for one in shown)


def test_a_letter_alone_is_the_one_card_of_its_rank_that_is_held() -> None:
    state = playing().state
    seat = next(iter(state.rules.to_act(state.set)[0].seats))
    held = [state.rules.card_name(card) for card in state.rules.observe(state.set, seat).hand]
    for text, rank in (("R", "K"), ("d", "Q"), ("V", "J"), ("as", "A")):
        found = [f"play {card}" for card in held if card[0] == rank]
        if len(found) == 1:
            assert state.rules.notation(reading.read(state, seat, text, "fr")) == found[0]
        elif found:
            with pytest.raises(Rejected) as caught:
                reading.read(state, seat, text, "fr")
            assert caught.value.kind == "ambiguous"


def test_words_of_a_game_of_words_are_left_alone() -> None:
    sitting = started("taichi", seats=2)
    sitting.moves("turn")
    assert sitting.state.rules.notation(reading.read(sitting.state, sitting.asked(), "as", "fr")) == "word as"


@pytest.mark.parametrize(
    ("game", "text", "move"),
    [
        ("chinchon", "meld V♥D♥R♥ 7♠7♦7♣", "meld JHQHKH 7S7D7C"),
        ("chinchon", "meld VCDCRC", "meld JHQHKH"),
        ("chinchon", "défausse RT", "discard KC"),
        ("snitch", "set R♠ R♥", "set KS KH"),
        ("snitch", "challenge 2 DP", "challenge 2 QS"),
        ("chitchat", "change 2♥ 3♥", "change 2H 3H"),
        ("chitchat", "2k 3k", "change 2D 3D"),
    ],
)
def test_the_moves_of_other_games_are_read_in_french(game: str, text: str, move: str) -> None:
    state = started(game).state
    assert state.rules.notation(reading.read(state, None, text, "fr")) == state.rules.notation(state.rules.read(move))


def test_a_plan_and_a_search_are_written_in_french() -> None:
    state = playing().state
    seat = state.rules.to_act(state.set)[0].seats[0]
    assert premoves.read("fr", state, seat, "D♥, roi de pique, VT") == ["play QH", "play KS", "play JC"]
    for move in legal(state, seat):
        text = cards.move(FR, state.rules.notation(move))
        [offer] = inline.offers(FR, FR, state, seat, NAMES[:4], "tabletalk_bot", text)
        assert (offer.title, offer.html.endswith(f"{text}</a>")) == (text, True)


def test_what_a_french_player_takes_from_the_input_line_is_sent_in_the_groups_language() -> None:
    state = playing().state
    seat = state.rules.to_act(state.set)[0].seats[0]
    found = inline.offers(FR, EN, state, seat, NAMES[:4], "tabletalk_bot")
    said = [(named(offer.title + offer.description), named(offer.html)) for offer in found]
    assert any(card[0] in "RDV" for own, _aloud in said for card in own)
    for own, aloud in said:
        assert own.keys() == in_french(aloud).keys() or not aloud


def test_a_french_card_has_its_suits_colour_in_a_terminal() -> None:
    [span] = coloured("Ann D♥").spans
    assert (span.start, span.end, span.style) == (4, 6, COLOURS["♥"])


async def test_a_card_is_played_in_a_french_group_as_its_table_shows_it(running: Running) -> None:
    """The move is written as the table would show it; what may be two cards is asked back, in a reply too."""
    walk = Abroad(running, "callbreak", "fr")
    await walk.to_the_cards()
    mover, state = await walk.asked(), await walk.state()
    while state.rules.observe(state.set, None).phase == "calls":
        mover.say(walk.group, "/call 4")
        await changed(running, state.id, state)
        mover, state = await walk.asked(), await walk.state()
    table = walk.ann.find(walk.group, walk.label("My hand"))
    assert table is not None
    mover.say(walk.group, "9c", reply_to=table)
    await running.until(lambda: walk.ann.find(walk.group, "9♣ ou 9♥"), "the question which one is meant")
    assert (await walk.state()).set == state.set, "nothing was played"
    [seat] = state.decisions[0].seats
    shown = [cards.card(FR, state.rules.card_name(move.card)) for move in legal(state, seat)]
    wanted = next((card for card in shown if card[0] in "RDV"), shown[0])
    mover.say(walk.group, f"/play {wanted}")
    await running.until(lambda: walk.ann.find(walk.group, f"{mover.name} {wanted}"), wanted)
    await walk.press(mover, walk.group, walk.label("My hand"))
    assert not [card for line in seen(walk) for card in named(line) if card[0] in "KQJ"]
