"""What the terminal shows: the table, the hand with its colours, the score sheet. Made from views alone."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from domain.games import GAMES
from domain.scene import Scene, Zone
from domain.table import View
from service.text import Texts, board, cards, sheet, terminal

_CARD = re.compile(rf"(?:10|[{cards.FACES}])([♠♥♦♣])")
COLOURS = {"♠": "", "♥": "red", "♦": "bright_blue", "♣": "green"}
_WIDEST = 78
_PLAINER = "tabletalk.plainer"  # the name of an error handler of codecs
_PLAIN = {
    "♠": "S", "♥": "H", "♦": "D", "♣": "C", "·": "-", "─": "-", "▸": ">", "→": "->", "…": "...", "“": '"', "”": '"',
    "Σ": "=", "🤖": "*", "★": "X", "☂": ":P", "☯": ":Y", "❀": ":L", "↑": "^", "↓": "v",
}  # fmt: skip


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """A reader that has gone is nobody's error (rich would exit with 1)."""
        raise BrokenPipeError


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that the terminal's encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_PLAIN.get(character, "?") for character in missing), error.end


codecs.register_error(_PLAINER, _plainer)


def console() -> Console:
    """The console on standard output: colours on a terminal only, and not with NO_COLOR."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=_PLAINER)
    # Words wrap on a terminal; what is piped keeps its lines.
    return _Console(highlight=False, markup=False, emoji=False, soft_wrap=not sys.stdout.isatty())


class Screen:
    """Prints to a console in one language."""

    def __init__(self, out: Console, texts: Texts) -> None:
        self.out = out
        self.texts = texts
        self.tty = out.is_terminal and os.isatty(0)

    def say(self, *lines: str) -> None:
        """Lines of text; cards in them get their suit's colour."""
        for line in lines:
            self.out.print(coloured(line))

    def title(self, text: str) -> None:
        """The head of something new."""
        width = min(self.out.width, _WIDEST)
        bar = "─" * max(3, width - cell_len(text) - 4)
        self.out.print(Text.assemble(("── ", "dim"), (text, "bold"), (f" {bar}", "dim")))

    def prompt(self, text: str) -> None:
        """Where one types; nothing for a pipe."""
        if self.tty:
            self.out.print(Text(text, "bold"), end="")

    def newline(self) -> None:
        """Leaves the line of a prompt that was not answered."""
        if self.tty:
            self.out.print()

    def table(self, view: View, scene: Scene, names: Sequence[str]) -> None:
        """The table: facts, seats with what they called, took and have, and the cards on the table."""
        self.out.print()
        self.out.print(coloured(board.facts(self.texts, view, scene, names), "bold"))
        widths = [cell_len(name) for name in names]
        said = [board.seat_facts(self.texts, view, scene, seat, names) for seat in range(len(names))]
        room = max(map(cell_len, said), default=0)
        for seat, name in enumerate(names):
            turn = seat in view.waiting
            line = Text(f"{'▸' if turn else ' '} {name}{' ' * (max(widths) - widths[seat])}  {said[seat]}")
            if view.rows:
                points = sheet.points(view.totals[seat], view.tenths)
                gap = " " * (room - cell_len(said[seat]) + 2)
                line.append(gap + terminal.total(self.texts, f"{points:>5}"))
            line.rstrip()
            if turn:
                line.stylize("bold")
            self.out.print(line)
        self.say(*board.on_the_table(self.texts, view, scene, names))

    def hand(self, view: View, scene: Scene, names: Sequence[str]) -> None:
        """The reader's cards, those that may be played standing out, what else he alone knows, and the legal moves."""
        for zone in scene.zones:
            if zone.name == "hand":
                title = self.texts.gettext(board.ZONES["hand"])
                self.out.print(Text.assemble(f"{title}:  ", _hand(self.texts, zone)))
        self.say(*board.own(self.texts, view, scene, names), *board.may(self.texts, view, scene, names))

    def sheet(self, view: View, names: Sequence[str]) -> None:
        """The score sheet, where the game has one."""
        if not GAMES[view.game].sheet:
            self.say(terminal.no_sheet(self.texts))
            return
        if not view.rows:
            self.say(terminal.no_rows(self.texts))
            return
        self.out.print(Text(sheet.block(self.texts, view, names, min(self.out.width, 64))))


def coloured(line: str, style: str = "") -> Text:
    """The line with its cards in their suit's colour."""
    text = Text(line, style)
    for found in _CARD.finditer(line):
        if COLOURS[found[1]]:
            text.stylize(COLOURS[found[1]], found.start(), found.end())
    return text


def _hand(texts: Texts, zone: Zone) -> Text:
    text = Text()
    some = any(placed.playable for placed in zone.cards)
    for index, placed in enumerate(zone.cards):
        shown = cards.card(texts, placed.card)
        gap = "" if not index else cards.GAP + " " if index in zone.groups else " "
        style = COLOURS.get(shown[-1], "")
        weight = "bold" if placed.playable else "dim" if some else ""
        text.append(gap).append(shown, f"{weight} {style}".strip())
    return text


def rows(columns: Sequence[str], found: Iterable[Sequence[str]]) -> list[str]:
    """Cells as aligned lines under their titles, for people and for `cut`."""
    table = [list(columns), *map(list, found)]
    widths = [max(cell_len(row[index]) for row in table) for index in range(len(columns))]
    return [
        "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
