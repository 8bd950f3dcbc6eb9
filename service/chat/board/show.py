"""What a table looks like in a chat: pure functions of a view, which hold no more than its seat may know.

Texts are HTML; every name and everything typed is escaped here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from html import escape

import msgspec

from domain import options
from domain.games import GAMES
from domain.scene import Scene
from domain.table import Proposal, View
from service.chat.api.names import in_column
from service.chat.api.outbox import LONGEST_TOAST
from service.chat.api.post import Button, Link, Post, Press, grid
from service.chat.api.tokens import (
    AccuseToken,
    ChosenToken,
    HandToken,
    LobbyToken,
    MoveToken,
    NextToken,
    PlayToken,
    VoteToken,
)
from service.chat.board import around as surroundings
from service.chat.board.around import NOTHING, Around
from service.chat.tables import lobby_post
from service.text import Texts, board, cards, history, refusals, sheet
from service.text.board import Picture
from service.text.chat import say
from service.text.words import game_name, words

_MOST_A_ROW = 5  # buttons
_CHARACTERS_A_ROW = 26  # of their labels, with one between each two: what a telephone shows
_MOST_ROWS = 60  # of a score sheet in a message; Bot API, sendMessage: 4,096 characters


def table(texts: Texts, view: View, names: Sequence[str], bot: str, around: Around = NOTHING) -> Post:
    """The table's message in the group, for everybody: made of a spectator's view."""
    assert view.seat is None, "a group sees what a spectator sees"
    if view.phase == "lobby":
        return lobby_post.lobby(texts, view, names, around)
    if view.phase == "over":
        return _over(texts, view, names, around)
    marks = [escape(mark) for mark in surroundings.marks(texts, view, names, around)]
    html = "\n".join(
        [surroundings.title(texts, view, around), *marks, *_board(texts, view, names), *_standing(texts, view, names)]
    )
    promised = say(texts, "commitment", start=view.commitment[:16])
    scene = _scene(view)
    how = "" if scene is None else texts.gettext(board.prompt_of(view, scene).how)
    rows: tuple[tuple[Button, ...], ...] = (
        (
            Press(say(texts, "button_hand"), HandToken(view.table, board=True)),
            Press(say(texts, "button_play"), PlayToken(view.table)),
            Link(say(texts, "button_private"), f"https://t.me/{bot}?start={view.table}"),
        ),
        *_accuse(texts, view),
        *_vote(texts, view),
    )
    lately = say(texts, "lately", moves=" · ".join(around.lately)) if around.lately else ""
    small = surroundings.small(lately, how, surroundings.until(texts, view, around), promised)
    return Post("\n".join([html, *_proposal(texts, view, names, around), "", *small]), rows)


def parked(texts: Texts, why: str) -> Post:
    """A table that cannot be read: why, and what becomes of it."""
    return Post(f"⏸ {escape(say(texts, f'parked_{why}'))}")


def hand(texts: Texts, view: View, names: Sequence[str], around: Around = NOTHING) -> Post:
    """A player's own message in the private chat: the table, what happened since he looked, the hand, and the legal
    moves as buttons."""
    assert view.seat is not None, "a hand belongs to a seat"
    if view.phase == "over":
        return _over(texts, view, names, around)
    marks = [around.reminder, *surroundings.marks(texts, view, names, around)]
    lines = [surroundings.title(texts, view, around), *(escape(mark) for mark in marks if mark)]
    lines += [*_board(texts, view, names), *_standing(texts, view, names)]
    if around.since:
        lines += ["", *surroundings.small(say(texts, "since_you_looked"), *around.since)]
    held = _own_cards(texts, view)
    lines += ["", f"<b>{escape(held)}</b>"] if held else [""]
    asked = next((decision for decision in view.asked if view.seat in decision.seats), None)
    rows: list[tuple[Button, ...]] = []
    scene = _scene(view)
    lines += [] if scene is None else [escape(line) for line in board.own(texts, view, scene, names)]
    if scene is not None and asked is not None and view.seat in view.waiting:
        rules = GAMES[view.game]
        given_up = {rules.notation(move) for move in rules.gives_up}  # too much for a slip of the finger: a command
        for _kind, choices in board.kinds(scene):
            buttons = [
                Press(board.button(texts, view.game, choice, names), MoveToken(view.table, asked.id, choice.move))
                for choice in choices
                if choice.move not in given_up
            ]
            rows += grid(buttons, _a_row([button.text for button in buttons])) if buttons else []
    if view.away[view.seat]:
        lines += ["", escape(say(texts, "you_are_away"))]
    elif rows:
        signs = "" if scene is None else texts.gettext(board.prompt_of(view, scene).signs)
        lines += ["", *surroundings.small(signs, surroundings.until(texts, view, around))]
    rows += [(Press(say(texts, "button_next"), NextToken(view.table)),)] if around.elsewhere else []
    rows += [*_accuse(texts, view), *_vote(texts, view)]
    return Post("\n".join([*lines, *_proposal(texts, view, names, around)]), tuple(rows))


def peek(texts: Texts, view: View, names: Sequence[str]) -> str:
    """The alert of My hand: the presser's cards and what he may do, at most 200 characters of plain text."""
    assert view.seat is not None, "a hand belongs to a seat"
    scene = _scene(view)
    if scene is None or view.phase != "playing":
        return say(texts, "no_hand_yet" if view.phase == "lobby" else "no_hand_now")
    held = _own_cards(texts, view)
    lines = [*([held] if held else []), *board.own(texts, view, scene, names), ""]
    if view.seat not in view.waiting:
        return _fitting([*lines, board.turn(texts, view, scene, names)])
    may = board.may(texts, view, scene, names)
    usual = [line for line in may if line in board.usual(texts, view)]  # what everybody may do says least
    special = [line for line in may if line not in usual]
    how = texts.gettext(board.prompt_of(view, scene).how)
    for found in ([*may, how], may, special, [*special[:-1], say(texts, "more_in_private")]):
        if len("\n".join([*lines, *found])) <= LONGEST_TOAST:
            return "\n".join([*lines, *found]).strip()
    return _fitting([*lines, *special])


def _fitting(lines: Sequence[str]) -> str:
    """As much of it as an alert holds: the cards come first."""
    text = "\n".join(lines).strip()
    return text if len(text) <= LONGEST_TOAST else text[: LONGEST_TOAST - 1] + "…"


def rules(texts: Texts, view: View) -> Post:
    """The table's options: each with its value and what it may be."""
    game = GAMES[view.game]
    usual = options.complete(game, {})
    lines = [escape(say(texts, "options_are", game=game_name(texts, view.game)))]
    for name, allowed in options.offered(game).items():
        value = refusals.option_value(texts, getattr(view.options, name))
        line = f"<code>{escape(name)}={escape(value)}</code>  {escape(refusals.bounds(texts, allowed))}"
        changed = getattr(view.options, name) != getattr(usual, name)
        lines.append(f"▸ <b>{line}</b>" if changed else line)
    presets = ", ".join(f"preset={name}" for name in game.presets)
    return Post("\n".join([*lines, "", escape(say(texts, "options_how", presets=presets))]))


def how_to_play(texts: Texts, game: str) -> Post:
    """How a game is played, in a few paragraphs."""
    paragraphs = [escape(texts.gettext(paragraph)) for paragraph in words(game).how_to_play]
    if not paragraphs:
        return Post(escape(say(texts, "no_rules", game=game_name(texts, game))))
    title = f"<b>{escape(game_name(texts, game))}</b>"
    return Post("\n\n".join([title, *paragraphs, f"<i>{escape(say(texts, 'rules_options'))}</i>"]))


def choose(texts: Texts, tables: Sequence[tuple[str, str]]) -> Post:
    """Asks which of his tables somebody means: (table, how he knows it)."""
    buttons: list[Button] = [Press(label, ChosenToken(name)) for name, label in tables]
    return Post(escape(say(texts, "which_table")), grid(buttons, 1))


def offer_hand(texts: Texts, name: str, bot: str) -> Post:
    """The answer to /hand in a group: the way to one's own hand, no hand."""
    return Post(
        escape(say(texts, "hand_in_group")),
        (
            (
                Press(say(texts, "button_hand"), HandToken(name)),
                Link(say(texts, "button_private"), f"https://t.me/{bot}?start={name}"),
            ),
        ),
    )


def moved_on(texts: Texts) -> Post:
    """What is left of a message that another one has replaced."""
    return Post(escape(say(texts, "moved_on")))


def result(texts: Texts, lines: Sequence[str], seed: bytes | None) -> Post:
    """A set's result, never to be edited: what `history.result` says, and the seed that can be checked now."""
    first, *others = map(escape, lines)
    shown = [first if seed is None else f"<b>{first}</b>", *others]
    if seed is not None:
        shown.append(f"{escape(say(texts, 'seed'))} <code>{seed.hex()}</code>")
        shown.append(f"<i>{escape(say(texts, 'seed_how'))}</i>")
    return Post("\n".join(shown))


def proposal_mark(view: View) -> str:
    """A short mark of the open proposal, which its buttons name; empty when there is none."""
    open_one = view.proposal
    if open_one is None:
        return ""
    return hashlib.sha256(f"{open_one.what} {open_one.by} {open_one.seat} {view.sets}".encode()).hexdigest()[:6]


def accused(view: View) -> tuple[int, tuple[str, ...]]:
    """The set, from 1, whose last trick may be called in question, and the accusations there can be, in notation."""
    rules, late = GAMES[view.game], view.contested is not None
    seen = view.contested if late else view.set
    moves = () if seen is None or view.phase != "playing" else rules.accusable(seen)
    found = [move for move in moves if not view.seats[rules.accuses(move) or 0].computer]
    return view.sets if not late else view.contested_set + 1, tuple(map(rules.notation, found))


def accuse(texts: Texts, view: View, names: Sequence[str]) -> Post:
    """Asks whose conduct is meant, of those that can be called in question now."""
    rules = GAMES[view.game]
    number, moves = accused(view)
    buttons = []
    for move in moves:
        seat = rules.accuses(rules.read(move))
        assert seat is not None
        buttons.append(Press(names[seat], AccuseToken(view.table, number, move)))
    trick = moves[0].rpartition(" ")[2] if moves else ""
    return Post(escape(say(texts, "accuse_who", number=number, trick=trick)), grid(buttons, 2))


def _accuse(texts: Texts, view: View) -> tuple[tuple[Button, ...], ...]:
    """A button to say that somebody cheated: there whatever anybody holds, where the table plays on its honour."""
    number, moves = accused(view)
    if not moves:
        return ()
    return ((Press(say(texts, "button_accuse"), AccuseToken(view.table, number, "new")),),)


def _over(texts: Texts, view: View, names: Sequence[str], around: Around) -> Post:
    lines = [
        surroundings.title(texts, view, around),
        escape(say(texts, "over", why=history.ending(texts, view.game, view.ended or ""))),
    ]
    if view.winners:
        winners = ", ".join(names[seat] for seat in view.winners)
        lines.append(f"<b>{escape(say(texts, 'winner', names=winners))}</b>")
    if (scene := _scene(view)) is not None:  # whoever plays in private does not see the result in the group
        lines += [escape(line) for line in board.opened(texts, view, scene, names)]
    if view.rows and GAMES[view.game].sheet:
        lines.append(_sheet(texts, view, names))
    rematch = Press(say(texts, "button_rematch"), LobbyToken(view.table, "rematch"))
    return Post("\n".join([*lines, escape(say(texts, "again", game=view.game))]), ((rematch,),))


def _a_row(labels: Sequence[str]) -> int:
    """How many buttons go into a row."""
    return max(1, min(_MOST_A_ROW, _CHARACTERS_A_ROW // (max(map(len, labels)) + 1)))


def _scene(view: View) -> Scene | None:
    return None if view.set is None else GAMES[view.game].scene(view.set)


def _board(texts: Texts, view: View, names: Sequence[str]) -> list[str]:
    late = [names[seat] for seat, held in enumerate(view.seats) if held.expiries and not held.left]
    clock = [say(texts, "time_was_up", names=", ".join(late))] if late and view.phase == "playing" else []
    return [_line(line) for line in [*board.lines(texts, view, _scene(view), names), *clock]]


def _line(line: str | Picture) -> str:
    return f"<pre>{escape(chr(10).join(line))}</pre>" if isinstance(line, Picture) else escape(line)


def _own_cards(texts: Texts, view: View) -> str:
    """The cards of whoever looks, a dash where he has none; nothing in a game without hands."""
    scene = _scene(view)
    zones = () if scene is None else scene.zones
    return next(
        (cards.hand(texts, zone) or "-" for zone in zones if zone.name == "hand" and zone.owner == view.seat), ""
    )


def _standing(texts: Texts, view: View, names: Sequence[str]) -> list[str]:
    if not view.rows or not GAMES[view.game].sheet:
        return []
    totals = [sheet.points(total, view.tenths) for total in view.totals]
    scores = " · ".join(f"{name} {total}" for name, total in zip(names, totals, strict=True))
    return [escape(say(texts, "standing", scores=scores))]


def _sheet(texts: Texts, view: View, names: Sequence[str]) -> str:
    """The score sheet; of a long game its last rows, as many as a message holds."""
    columns = [in_column(name) for name in names]
    hidden = max(0, len(view.rows) - _MOST_ROWS // sheet.blocks(texts, view, columns))
    shown = msgspec.structs.replace(view, rows=view.rows[hidden:])
    block = f"<pre>{escape(sheet.block(texts, shown, columns))}</pre>"
    return f"{escape(say(texts, 'earlier_rows', number=hidden))}\n{block}" if hidden else block


def _proposal(texts: Texts, view: View, names: Sequence[str], around: Around) -> list[str]:
    if view.proposal is None:
        return []
    seat, by = view.proposal.seat, around.asks or say(texts, "somebody")
    agreed = ", ".join(names[agreed] for agreed in view.proposal.agreed) or say(texts, "agreed_nobody")
    name, number = ("", 0) if seat is None else (names[seat], seat + 1)
    asked = say(texts, f"proposal_{view.proposal.what}", agreed=agreed, name=name, by=by, number=number)
    return ["", escape(asked)]


def _vote(texts: Texts, view: View) -> tuple[tuple[Button, ...], ...]:
    open_one: Proposal | None = view.proposal
    if open_one is None or view.seat in open_one.agreed:
        return ()
    mark = proposal_mark(view)
    return (
        (
            Press(say(texts, "button_agree"), VoteToken(view.table, mark, True)),
            Press(say(texts, "button_decline"), VoteToken(view.table, mark, False)),
        ),
    )
