"""The sentences of the chat: buttons, toasts, answers to commands, what stands around a table in a message."""

from __future__ import annotations

from service.text import Texts
from service.text import marked as _

GAMES = {"callbreak": _("Call Break")}

SENTENCES: dict[str, str] = {
    # Buttons
    "button_join": _("Join"),
    "button_leave": _("Leave"),
    "button_add": _("Add computer player"),
    "button_remove": _("Remove computer player"),
    "button_cut": _("Cut the cards"),
    "button_start": _("Start"),
    "button_hand": _("My hand"),
    "button_private": _("Play in private"),
    "button_agree": _("Agree"),
    "button_decline": _("Decline"),
    # The lobby
    "free_seat": _("(free)"),
    "rules_are": _("Rules: {options}. To change them: /options"),
    "rules_usual": _("the usual ones"),
    "lobby_wait": _("Join takes a seat; {number} more to go. Computer players may fill up the table."),
    "lobby_ready": _("All seats are taken: Start deals the cards."),
    "commitment": _("Shuffle fixed: SHA-256 {start}…"),
    # The table
    "how_calls": _("To call: Play in private has buttons, or write /call 4 here."),
    "how_play": _("To play: Play in private has buttons, or write /play QS here."),
    "time_to_move": _("Time for a move: {span}."),
    "may_calls": _("Your turn: call {choices} with /call, or in the private chat."),
    "may_play": _("You may play: {choices}"),
    "no_hand_yet": _("The cards are not dealt yet."),
    "no_hand_now": _("The game is over: nobody holds cards any more."),
    "you_are_away": _("You are away, so the clock plays for you. /back takes your seat again."),
    "standing": _("Score: {scores}"),
    "no_score_yet": _("No set has been scored yet."),
    "time_was_up": _("⏱ Time was up for {names}: the clock made the move."),
    "earlier_rows": _("(the first {number} sets are left out)"),
    "proposal_end": _("Shall the game end here, without a winner? Agreed so far: {agreed}"),
    "proposal_seat": _("Somebody asks to take over a free seat. Agreed so far: {agreed}"),
    "over": _("The game is over: {why}."),
    "winner": _("Winner: {names}"),
    "again": _("Once more? /{game}"),
    "seed": _("The seed of the shuffle, whose SHA-256 you have seen:"),
    "moved_on": _("This message is out of date: a newer one stands further down."),
    # Answers to buttons
    "joined": _("You have a seat. Welcome!"),
    "left_lobby": _("Your seat is free again."),
    "computer_added": _("A computer player sits down."),
    "computer_removed": _("The computer player leaves."),
    "started": _("The cards are dealt. My hand shows yours."),
    "cut_how": _("Write /cut with a number of your own from 0 to 51: it goes into every shuffle. Nobody waits for it."),
    "cut": _("You cut the cards: {number}."),
    "options_set": _("The rules are changed."),
    "done": _("✓ {move}"),
    "agreed": _("You agree."),
    "declined": _("You decline: the game goes on."),
    "old_button": _("This button does nothing any more."),
    "not_here": _("This button belongs to another chat."),
    "parked_broken": _(
        "This table is parked: its history is not what was played, so nobody can move. The operator has to look at it."
    ),
    "parked_newer": _(
        "This table is parked: a newer release of mine has written its last moves. "
        "Nothing is lost; it goes on as soon as that release runs again."
    ),
    "parked_other_key": _(
        "This table is parked: its seeds are sealed with another key. The operator has to look at it."
    ),
    "parked_lost": _("The store has lost the last moves of this table. Look at the table before you move again."),
    "lost": _(
        "The store has lost moves of this table that I had confirmed: it stood at version {known} ({mark}) "
        "and now stands at version {found}. The game goes on from there; /end proposes to end it."
    ),
    "lost_whole": _("The store has lost this table, which stood at version {known} ({mark}). Its game cannot go on."),
    "admins": _("For the administrators: {names}"),
    "kept": _("This takes a moment longer. What you pressed is kept and will be carried out."),
    # Answers to commands
    "no_table": _("There is no table here yet. /callbreak opens one."),
    "no_table_for_you": _("You sit at no table. In a group with me, /callbreak opens one."),
    "table_is_over": _("The game is over. /callbreak opens a new table."),
    "not_now": _("That cannot be played now. My hand shows you what can."),
    "hand_in_group": _("Nobody else sees your hand: press My hand, or play in our private chat."),
    "no_move": _("Write the move with it: {example}"),
    "left_game": _("{name} has left: the clock plays that seat. /back takes it again."),
    "back": _("{name} is back."),
    "closed": _("The table is closed."),
    "not_alone": _(
        "Only whoever opened the lobby can close it (after an hour without news anybody can). "
        "Leave gives up your own seat."
    ),
    "anonymous": _("You write in the name of the group. A seat belongs to a person: write as yourself."),
    "no_standings": _("No game has been won here yet."),
    "standing_line": _("{name}: {won} won, {games} played"),
    "somebody": _("Somebody"),
    "no_tables_of_yours": _("You sit at no table that goes on."),
    "mytables_in_group": _("Where else you play is nobody's business here: write /mytables in our private chat."),
    "computer_players": _("computer players"),
    "your_turn_there": _("set {number}, your turn"),
    "phase_lobby": _("waiting for players"),
    "phase_playing": _("set {number}, others to move"),
    "phase_parked": _("parked"),
    "options_are": _("Options of {game}:"),
    "options_how": _("Change them before the start: /options name=value … ({presets})"),
    "options_form": _("Write options as name=value: {text}"),
    "which_table": _("You sit at several tables. Which one?"),
    "seat_chosen": _("Here it is."),
    "hand_will_come": _("Good, we know each other now. Your hand comes here as soon as the cards are dealt."),
    "hand_here": _("Here is your hand. It stays up to date; press a card to play it when it is your turn."),
    "not_your_table": _("You have no seat at that table. Join it in its group before the start."),
    "welcome": _(
        "I deal, referee and keep the score of card games in groups.\n"
        "Add me to a group and write /callbreak there. Once you have a seat, your hand comes to this chat.\n"
        "/callbreak here plays against computer players."
    ),
    "greeting": _(
        "Hello! /callbreak opens a table of Call Break for four; computer players can fill it up. /help says the rest."
    ),
    "help": _(
        "/{games} – open a table here\n"
        "/hand – your hand, for you alone\n"
        "/call 4 – call a number of tricks\n"
        "/play QS – play a card (Q♠ and queen of spades will do)\n"
        "/table – show the table further down\n"
        "/score – the score sheet\n"
        "/standings – who has won how many games here\n"
        "/mytables – the tables where you sit, in any group\n"
        "/options – the rules of the table\n"
        "/cut 17 – cut the cards before the start\n"
        "/leave, /back – give up your seat, take it again\n"
        "/end – propose to end the game"
    ),
}

COMMANDS: dict[str, str] = {
    "hand": _("Your hand, for you alone"),
    "play": _("Play a card: /play QS"),
    "call": _("Call a number of tricks: /call 4"),
    "table": _("Show the table"),
    "score": _("The score sheet"),
    "standings": _("Who has won how many games here"),
    "mytables": _("The tables where you sit"),
    "options": _("The rules of the table"),
    "cut": _("Cut the cards: /cut 17"),
    "leave": _("Give up your seat"),
    "back": _("Take your seat again"),
    "end": _("Propose to end the game"),
    "help": _("What I can do"),
}
_OPEN = _("Open a table of {game}")


def say(texts: Texts, code: str, **values: object) -> str:
    """The sentence of this code, plain: whoever shows it escapes it."""
    return texts.gettext(SENTENCES[code]).format(**values)


def game_name(texts: Texts, slug: str) -> str:
    """What the game is called."""
    return texts.gettext(GAMES.get(slug, "")) or slug


def commands(texts: Texts, games: tuple[str, ...]) -> list[tuple[str, str]]:
    """The commands with their descriptions, as a chat lists them; `games` are those that can be opened."""
    opening = [(slug, texts.gettext(_OPEN).format(game=game_name(texts, slug))) for slug in games]
    return [*opening, *((name, texts.gettext(said)) for name, said in COMMANDS.items())]
