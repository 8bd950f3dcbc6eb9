"""What a lobby looks like in a chat: who sits there, what is played, and the buttons that arrange it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from domain import options
from domain.games import GAMES
from domain.table import View
from service.chat.api.post import Button, Post, Press
from service.chat.api.tokens import LobbyAct, LobbyToken, SwitchToken
from service.chat.board import around as surroundings
from service.chat.board.around import Around
from service.chat.tables import dials
from service.text import Texts, moments, refusals
from service.text.chat import say
from service.text.words import preset_name, words


def lobby(texts: Texts, view: View, names: Sequence[str], around: Around) -> Post:
    """The table's message before the start: seats, rules, what is missing, and the buttons that arrange it."""
    fewest, most = GAMES[view.game].seats
    lines = [surroundings.title(texts, view, around), ""]
    for index in range(most):
        if index < len(names):
            cut = " ✂" if view.seats[index].cut else ""
            lines.append(f"{index + 1}. {escape(names[index])}{cut}")
        else:
            lines.append(f"{index + 1}. {escape(say(texts, 'free_seat'))}")
    usual = options.complete(GAMES[view.game], {})
    changed = ", ".join(
        f"{name}={refusals.option_value(texts, value)}"
        for name in usual.__struct_fields__
        if (value := getattr(view.options, name)) != getattr(usual, name)
    )
    lines += ["", escape(say(texts, "rules_are", options=changed or say(texts, "rules_usual")))]
    switches = words(view.game).switches
    lines += [escape(texts.gettext(said[getattr(view.options, name)])) for name, said in switches.items()]
    missing = fewest - len(names)
    if missing > 0:
        wait = say(texts, "lobby_wait", number=missing)
    else:
        free = most - len(names)
        wait = say(texts, "lobby_enough", number=free) if free else say(texts, "lobby_ready")
    lines.append(escape(wait))
    lines += surroundings.small(say(texts, "commitment", start=view.commitment[:16]))

    def button(act: LobbyAct) -> Press:
        return Press(say(texts, f"button_{act}"), LobbyToken(view.table, act))

    rows: list[tuple[Button, ...]] = [(button("join"), button("leave"))]
    rows += [(button("invite"),)] if around.apart and len(names) < most else []
    computers = [button("add")] if len(names) < most else []
    if any(seat.computer for seat in view.seats):
        computers.append(button("remove"))
    rows += [tuple(computers)] if computers else []
    rows += [
        (Press(say(texts, "button_switch", name=name, value=_next(view, name)), SwitchToken(view.table, number)),)
        for number, name in enumerate(switches)
    ]
    rows += _dials(texts, view)
    return Post("\n".join(lines), (*rows, (button("cut"), button("start"))))


def _dials(texts: Texts, view: View) -> list[tuple[Button, ...]]:
    """The buttons of the clock and of the presets, where the game has them: each says what holds now."""
    game, found = GAMES[view.game], []
    seconds = dials.clock(view.options)
    if dials.next_clock(game, view.options) is not None and seconds is not None:
        span = moments.span(texts, seconds * 1000)
        label = say(texts, "button_clock", span=span) if seconds else say(texts, "button_no_clock")
        found.append(Press(label, LobbyToken(view.table, "clock")))
    if dials.next_preset(game, view.options) is not None:
        name = dials.preset(game, view.options)
        label = (
            say(texts, "button_own_rules")
            if name is None
            else say(texts, "button_preset", name=preset_name(texts, view.game, name))
        )
        found.append(Press(label, LobbyToken(view.table, "preset")))
    on = say(texts, "button_stand_in_on" if view.stand_in else "button_stand_in_off")
    return [*([tuple(found)] if found else []), (Press(on, LobbyToken(view.table, "standin")),)]


def _next(view: View, name: str) -> str:
    """The value that a switch of the lobby would give an option."""
    return next_value(options.offered(GAMES[view.game])[name].values, getattr(view.options, name))


def next_value(values: Sequence[str], now: str) -> str:
    """The value after this one, the first again after the last."""
    return values[(values.index(now) + 1) % len(values)]
