"""The sentences of the chat: buttons, toasts, answers to commands, what stands around a table in a message."""

from __future__ import annotations

from domain.games import GAMES
from service.text import Texts
from service.text import marked as _
from service.text.words import game_name, words

SENTENCES: dict[str, str] = {
    # Buttons
    "button_join": _("Join"),
    "button_leave": _("Leave"),
    "button_add": _("Add computer player"),
    "button_remove": _("Remove computer player"),
    "button_cut": _("Cut the cards"),
    "button_switch": _("⇄ {name}={value}"),
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
    "lobby_enough": _("Start deals the cards; {number} more may still join."),
    "lobby_ready": _("All seats are taken: Start deals the cards."),
    "commitment": _("Shuffle fixed: SHA-256 {start}…"),
    # The table
    "time_to_move": _("Time for a move: {span}."),
    "no_hand_yet": _("The cards are not dealt yet."),
    "no_hand_now": _("The game is over: nobody holds cards any more."),
    "you_are_away": _("You are away, so the clock plays for you. /back takes your seat again."),
    "standing": _("Score: {scores}"),
    "no_score_yet": _("No set has been scored yet."),
    "no_sheet": _("This game has no score sheet: /table shows how it stands."),
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
    "no_table": _("There is no table here yet. Open one: {games}"),
    "no_table_for_you": _("You sit at no table. Open one, here or in a group with me: {games}"),
    "table_is_over": _("The game is over. A new table: {games}"),
    "not_now": _("That cannot be played now. My hand shows you what can."),
    "hand_in_group": _("Nobody else sees your hand: press My hand, or play in our private chat."),
    "not_so_fast": _("One word every {seconds} seconds, please."),
    "in_private": _("Answer in our private chat: nobody may see it before all have answered."),
    "in_the_group": _("Answer in the table's own chat: the quickest message there wins."),
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
    "options_are": _("Options of {game} (▸ not the usual ones):"),
    "more_in_private": _("… and more, in our private chat"),
    "options_how": _("Change them before the start: /options name=value … ({presets})"),
    "options_form": _("Write options as name=value: {text}"),
    "which_table": _("You sit at several tables. Which one?"),
    "seat_chosen": _("Here it is."),
    "hand_will_come": _("Good, we know each other now. Your hand comes here as soon as the cards are dealt."),
    "hand_here": _("Here is your hand. It stays up to date; press a card to play it when it is your turn."),
    "not_your_table": _("You have no seat at that table. Join it in its group before the start."),
    "rules_of": _("Which game? {games}"),
    "no_rules": _("Nobody has written down yet how {game} is played."),
    "rules_options": _("/options shows what this table plays differently."),
    "welcome": _(
        "I deal, referee and keep the score of card games in groups: {names}.\n"
        "Add me to a group and open a table there. Once you have a seat, your hand comes to this chat.\n"
        "Here you play against computer players: {games}"
    ),
    "greeting": _(
        "Hello! Open a table with {games}; computer players can fill it up. /rules says how a game is played, "
        "/help the rest."
    ),
    "help": _(
        "{games} – open a table here\n"
        "/rules – how the game is played\n"
        "/hand – your hand, for you alone\n"
        "{moves}\n"
        "/table – show the table further down\n"
        "/score – the score sheet\n"
        "/standings – who has won how many games here\n"
        "/mytables – the tables where you sit, in any group\n"
        "/options – the options of the table\n"
        "/cut 17 – cut the cards before the start\n"
        "/leave, /back – give up your seat, take it again\n"
        "/end – propose to end the game"
    ),
    "moves_of": _("{moves} – your move in {game}"),
}

COMMANDS: dict[str, str] = {
    "hand": _("Your hand, for you alone"),
    "table": _("Show the table"),
    "rules": _("How the game is played"),
    "score": _("The score sheet"),
    "standings": _("Who has won how many games here"),
    "mytables": _("The tables where you sit"),
    "options": _("The options of the table"),
    "cut": _("Cut the cards: /cut 17"),
    "leave": _("Give up your seat"),
    "back": _("Take your seat again"),
    "end": _("Propose to end the game"),
    "help": _("What I can do"),
}
_OPEN = _("Open a table of {game}")


def say(texts: Texts, code: str, **values: object) -> str:
    """The sentence of this code, plain: whoever shows it escapes it. `{games}` are the commands that open a table."""
    return texts.gettext(SENTENCES[code]).format(**{"games": opening(), **values})


def opening() -> str:
    """The commands that open a table: `/callbreak, /chinchon`."""
    return ", ".join(f"/{slug}" for slug in GAMES)


def names(texts: Texts) -> str:
    """What the games are called."""
    return ", ".join(game_name(texts, slug) for slug in GAMES)


def moves(texts: Texts) -> str:
    """How one moves by commands, a line a game: `/call 4, /play QS – your move in Call Break`."""
    return "\n".join(
        say(
            texts,
            "moves_of",
            moves=", ".join(f"/{example}" for example in rules.examples.values()),
            game=game_name(texts, slug),
        )
        for slug, rules in GAMES.items()
    )


def commands(texts: Texts) -> list[tuple[str, str]]:
    """The commands with their descriptions, as a chat lists them; a word that moves in several games once."""
    found = {slug: texts.gettext(_OPEN).format(game=game_name(texts, slug)) for slug in GAMES}
    found |= {name: texts.gettext(said) for name, said in COMMANDS.items()}
    for slug, rules in GAMES.items():
        for word, example in rules.examples.items():
            said = texts.gettext(words(slug).commands.get(word, "")) or f"{game_name(texts, slug)}: /{example}"
            found[word] = f"{found[word]} · {said}" if word in found else said
    return list(found.items())
