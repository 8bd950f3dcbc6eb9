"""What docs/fair-deals.md holds that follows from code; `python -m tests.fair.page` writes it there."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

from domain import options
from domain.commands import Close, CutDeck, Start
from domain.game import Setup
from domain.games import GAMES
from domain.shuffle import NO_MOVES, Seeded, commitment, digest_of
from eventstore.chain import fingerprint
from eventstore.export import commit_line, end_line, header_line
from tests.domain.play import lobby
from tests.fair.dealing import commits, dealt
from tests.fair.forged import FORGERIES
from tests.fair.shapes import rulesets, shapes_text

PAGE = Path(__file__).parents[2] / "docs" / "fair-deals.md"
VERIFY = PAGE.with_name("verify.html")
_SHAPES = ("// shapes\n", "// end of shapes\n")
SEED = bytes(range(32))
_DEALS: tuple[tuple[str, int, dict[str, str]], ...] = (
    ("callbreak", 4, {}),
    ("chinchon", 3, {}),
    ("chinchon", 4, {"deck": "40", "jokers": "2"}),
    ("snitch", 5, {}),
    ("chitchat", 2, {}),
    ("taichi", 4, {}),
    ("taichi", 8, {"language": "fr"}),
)
_LINES = ("1 cut_deck 17", "3 play QS")


def vectors() -> dict[str, Any]:
    """The test vectors, by our own code; streams and numbers by the two lines of arithmetic that they are."""
    source = Seeded(SEED, NO_MOVES)
    digests, digest = [], NO_MOVES
    for line in _LINES:
        digest = digest_of(digest, line)
        digests.append({"then": line, "D": digest.hex()})
    return {
        "commitment": commitment(SEED).hex(),
        "digests": digests,
        "streams": [_stream(label) for label in ("deal:1", "dealer")],
        "orders": [
            {"label": "dealer", "items": [0, 1, 2, 3], "order": list(source.order("dealer", range(4)))},
            {"label": "reshuffle:2", "items": [9, 8, 7, 3], "order": list(source.order("reshuffle:2", (9, 8, 7, 3)))},
            {
                "label": "deal:1",
                "D": digest.hex(),
                "items": [*range(10)],
                "order": list(Seeded(SEED, digest).order("deal:1", range(10))),
            },
        ],
        "deals": [_deal(game, seats, chosen) for game, seats, chosen in _DEALS],
    }


def _stream(label: str) -> dict[str, Any]:
    key = hmac.digest(SEED, NO_MOVES + label.encode(), "sha256")
    block = hmac.digest(key, bytes(8), "sha256")
    words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
    return {"label": label, "key": key.hex(), "block 0": block.hex(), "words": words}


def _deal(game: str, seats: int, texts: dict[str, str]) -> dict[str, Any]:
    rules = GAMES[game]
    chosen = options.read(rules, texts)
    setup = Setup(chosen, seats, 1, 1)
    source = Seeded(SEED, NO_MOVES)
    order = list(source.order("deal:1", rules.packs(setup)["deal:1"]))
    return {
        "game": game,
        "options": options.differing(chosen),
        "seats": seats,
        "dealer": 1,
        "label": "deal:1",
        "order": order,
        **dealt(rules.start(setup, source)),
    }


def export() -> tuple[str, str]:
    """A small export, and the fingerprint of its last commit."""
    sat = lobby("chitchat", "page")
    sat.do(sat.state.seats[1].owner, CutDeck(17), 1)
    sat.do(sat.state.host, Start())
    for _ in range(2):
        sat.time += 60_000
        sat.steady_move()
    sat.do("operator", Close(hashlib.sha256(b"late").hexdigest()), admin=True)
    told = commits(sat, "page-1")
    lines = [header_line("0011223344556677", 64), *map(commit_line, told), end_line(1, len(told))]
    return b"".join(lines).decode(), fingerprint(told[-1].hash)


def forgeries() -> str:
    """The table of what is found, by what."""
    lines = ["| | what was done | hashes | found by | because |", "|--:|---|---|---|---|"]
    for number, one in enumerate(FORGERIES, 1):
        hashes = "made right" if one.remade else "left" if one.lines is None else "–"
        by = "the file" if one.betrayed else "**the fingerprint** alone"
        lines.append(f"| {number} | {one.what} | {hashes} | {by} | {one.why} |")
    return "\n".join(lines)


def between(name: str, text: str) -> str:
    """What stands between the marks of a block."""
    return text.split(f"<!-- {name} -->\n")[1].split(f"\n<!-- end of {name} -->")[0]


def blocks() -> dict[str, str]:
    """Every block that follows from code, by its mark."""
    told = vectors()
    rows = []
    for key, value in told.items():
        if isinstance(value, list):
            inner = ",\n".join(f"    {_json(one)}" for one in value)
            rows.append(f"  {_json(key)}: [\n{inner}\n  ]")
        else:
            rows.append(f"  {_json(key)}: {_json(value)}")
    return {
        "vectors": "```json\n{\n" + ",\n".join(rows) + "\n}\n```",
        "export": "```\n" + export()[0] + "```",
        "forgeries": forgeries(),
        "shapes": f"```json\n{shapes_text()}\n```",
    }


def in_verify() -> str:
    """What verify.html knows of the form of the events."""
    return f"const SHAPES = {shapes_text()};\nconst RULESETS = {rulesets()};\n"


def shapes_in_verify() -> str:
    """What stands there."""
    return VERIFY.read_text("utf-8").split(_SHAPES[0])[1].split(_SHAPES[1])[0]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    """Writes the blocks into the pages."""
    text = PAGE.read_text("utf-8")
    for name, block in blocks().items():
        head, rest = text.split(f"<!-- {name} -->\n")
        text = f"{head}<!-- {name} -->\n{block}\n<!-- end of {name} -->" + rest.split(f"<!-- end of {name} -->")[1]
    before, rest = text.split("Its last fingerprint is `")
    text = f"{before}Its last fingerprint is `{export()[1]}`" + rest.split("`", 1)[1]
    PAGE.write_text(text, "utf-8")
    head, rest = VERIFY.read_text("utf-8").split(_SHAPES[0])
    VERIFY.write_text(f"{head}{_SHAPES[0]}{in_verify()}{_SHAPES[1]}{rest.split(_SHAPES[1])[1]}", "utf-8")


if __name__ == "__main__":
    main()
