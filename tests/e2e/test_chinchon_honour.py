"""Chinchón on its honour over the local Bot API server: an invalid cut, melds that players lay out with buttons, the
audit (CH-61, CH-62)."""

from __future__ import annotations

import json
import time

from domain import cards, options
from domain.games.chinchon import melds
from domain.games.chinchon.options import Options
from service.sandbox.people import Group, Person
from service.sandbox.world import World
from tests.domain.chinchon import plain, referee
from tests.e2e import moving
from tests.e2e.conftest import Bot
from tests.e2e.moving import Turn, answered, my_hand, shown, table_of
from tests.e2e.playing import NEXT_MINUTE, finds

HONOUR = "enforcement=honour declare=manual cut_rule=threshold cut_max=20 target=500"
CHOSEN = Options(enforcement="honour", declare="manual", cut_rule="threshold", cut_max=20, target=500)


def turn_of(people: list[Person], group: Group, begins: str = "") -> tuple[Person, Turn]:
    """Whose private chat asks him for something, and for what."""
    give_up = time.monotonic() + NEXT_MINUTE
    while time.monotonic() < give_up:
        for person in people:
            turn = moving.by_private_chat(person, group)
            if turn is not None and turn.moves[0].startswith(begins):
                return person, turn
        time.sleep(0.05)
    raise AssertionError(f"nobody may {begins}")


def held(turn: Turn) -> list[str]:
    return [move.removeprefix("discard ") for move in turn.moves if move.startswith("discard ")]


def draws(people: list[Person], group: Group) -> tuple[Person, Turn]:
    """Whoever is to move draws from the stock; gives what he may do then."""
    person, turn = turn_of(people, group, "draw")
    moving.by_button(person, group, turn, "draw stock")
    return turn_of([person], group, "discard")


def test_an_invalid_cut_and_melds_that_players_lay_out_themselves(bot_api: World, bot: Bot) -> None:
    people = [bot_api.person(name) for name in ("Ann", "Bob")]
    group = bot_api.group("Friday", people)
    ann = people[0]
    ann.start()
    ann.say(group, "/chinchon")
    lobby = finds(ann, group, "Join")
    assert "You have a seat" in people[1].press(lobby, "Join").text
    answered(ann, group, f"/options {HONOUR}", "The rules are changed.")
    assert "dealt" in ann.press(group, "Start").text
    finds(ann, group, "My hand")
    table = table_of(ann, group)
    for person in people:
        person.follow(group, "Play in private")

    # The buttons are alike for all cards, and nothing says what a cut would bring.
    cheat, turn = draws(people, group)
    while not (unlawful := [card for card in held(turn) if card not in plain.cuts(_mask(held(turn)), CHOSEN)]):
        moving.by_button(cheat, group, turn, f"discard {held(turn)[0]}")
        cheat, turn = draws(people, group)
    hand, wrong = held(turn), unlawful[0]
    assert sorted(move for move in turn.moves if move.startswith("cut")) == sorted(f"cut {card}" for card in hand)
    assert turn.at is not None
    assert sorted(text for text, _ in moving.move_buttons(turn.at) if "Cut" in text) == sorted(
        f"Cut {shown(card)}" for card in hand
    )
    assert "loose" not in my_hand(cheat, group)
    moving.by_button(cheat, group, turn, f"cut {wrong}")
    told = finds(ann, group, "The cut was not valid").text
    assert f"{cheat.name} cut with {shown(wrong)}" in told

    # Both play on as they should, until one of them may cut.
    for _ in range(200):
        cutter, turn = draws(people, group)
        lawful = {card: worth for card, worth in plain.cuts(_mask(held(turn)), CHOSEN).items() if worth != plain.WIN}
        if lawful:
            break
        loose = melds.arrangement(_mask(held(turn)), CHOSEN).loose
        shed = max(cards.names(loose) or held(turn), key=lambda card: plain.value(card, CHOSEN))
        moving.by_button(cutter, group, turn, f"discard {shed}")
    closing = min(lawful, key=lambda card: lawful[card])
    kept = _mask(held(turn)) & ~_mask([closing])
    moving.by_button(cutter, group, turn, f"cut {closing}")
    other = next(person for person in people if person is not cutter)

    # The cutter puts his melds together with buttons; the other says that he has none.
    laid = melds.closing(kept, CHOSEN)
    assert laid is not None
    groups = [cards.names(meld) for meld in laid[1].melds]
    for at, group_of in enumerate(groups):
        for move in (*(["lay next"] if at else []), *(f"lay {card}" for card in group_of)):
            press(cutter, group, move)
    if groups:
        press(cutter, group, f"meld {' '.join(''.join(meld) for meld in groups)}")
    else:
        press(cutter, group, "meld none")
    press(other, group, "meld none")
    finds(ann, group, "Set 2: ")

    assert "ok" in bot.tabletalk("audit", table)
    document = json.loads(bot.tabletalk("record", table))
    assert [one["outcome"] for one in document["sets"]] == ["invalid_cut", "cut"]
    chosen = options.stored(Options, document["options"])
    for one in document["sets"]:
        judged = referee.Round(one, 2, chosen)
        assert (one["outcome"], one["scores"]) == (judged.outcome, judged.scores)
    seat = people.index(cheat)
    assert document["sets"][0]["scores"] == [50 if at == seat else 0 for at in range(2)]
    ann.say(ann.private, "/audit")
    audited = finds(ann, ann.private, f"offence: {cheat.name} played")
    assert "had no cards that allow it" in audited.text
    assert "Nobody objected" not in audited.text
    assert "Nothing is wrong with this history" in audited.text


def press(person: Person, group: Group, move: str) -> None:
    """Presses a button of his private message as soon as it is there."""

    def there() -> Turn | None:
        turn = moving.by_private_chat(person, group)
        return turn if turn is not None and move in turn.moves else None

    moving.by_button(person, group, person.wait(there, NEXT_MINUTE, what=move), move)


def _mask(names: list[str]) -> int:
    return cards.mask(map(cards.card_of, names))
