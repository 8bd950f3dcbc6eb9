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
    "button_play": _("Play"),
    "button_inline": _("✍ Choose in the input line"),
    "button_plan": _("⏭ Plan my next move"),
    "button_plan_more": _("⏭ Add another"),
    "button_plan_off": _("✖ Call the plan off"),
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
    "commitment": _("Shuffle fixed: SHA-256 {start}… (/fair)"),
    # The table
    "time_to_move": _("Time for a move: {span}."),
    "due": _("⏳ {until}"),
    "lately": _("Last moves: {moves}"),
    "since_you_looked": _("Since you looked:"),
    "plan_how": _(
        "As soon as it is your turn, I play what you choose here, if it is allowed then. Choose several, and the first "
        "that is allowed counts. Or write them after /plan, with commas between."
    ),
    "planned": _("⏭ Planned for your next turn: {wishes}"),
    "plan_else": _(", else "),
    "plan_made": _("Planned. Your hand shows the plan; one tap there calls it off."),
    "plan_off": _("The plan is off."),
    "plan_none": _("There was no plan any more."),
    "plan_not_played": _("Your turn: nothing that you had planned is allowed now, so the choice is yours."),
    "forced_on": _("Where you have one move only, I make it for you after a few seconds. /forced off ends that."),
    "forced_off": _("You make every move yourself. /forced on: where you have one move only, I make it for you."),
    "plan_in_private": _("A plan is nobody else's business: write /plan in our private chat."),
    "hand_coming": _("One moment, please …"),
    "inline_plays": _("▶ {move}"),
    "inline_looks": _("👀 I am looking at my cards."),
    "inline_not_now": _("cannot be played now"),
    "inline_not_yet": _("it is not your turn"),
    "inline_not_played": _("That card cannot be played now, so nothing was played. Nobody has seen which card it was."),
    "inline_no_seat": _("You sit at no such table"),
    "inline_closed": _("You cannot join tables at the moment"),
    "inline_in_private": _("Go on in our private chat"),
    "inline_more": _("The whole table in our private chat"),
    "inline_elsewhere": _("That table is played in another chat, so the move was not made."),
    "hand_waits": _("It is not your turn yet. Your moves come here as soon as it is."),
    "button_accuse": _("⚖ Somebody cheated"),
    "accuse_who": _(
        "Set {number}, trick {trick}: who did not play by the rules? Everybody reads what you say, and you may say so "
        "twice a set. For another trick write /accuse, a name and the trick: /accuse Bob 5."
    ),
    "accused": _("Said: everybody reads it."),
    "accuse_nobody": _("There is nothing that could be called in question now."),
    "button_next": _("Next table ▸"),
    "ring_call": _("{names}: it is your turn in {game}."),
    "ring_half": _("{names}: half of your time in {game} is gone."),
    "ring_late": _("{names}: your time in {game} is running out."),
    "own_half": _("⏰ Half of your time is gone."),
    "own_late": _("⏰ Your time is running out."),
    "paused": _("⏸ The game is paused: no clock runs. /resume lets it go on."),
    "paused_for_now": _("⏸ The game is paused: no clock runs. It goes on by itself."),
    "on_vacation": _("🏖 On vacation: {names}"),
    "nudged": _("{names}: {by} nudges you. {game} waits for your move."),
    "nudged_you": _("{by} nudges you: {game} waits for your move."),
    "nudge_done": _("I have called: {names}."),
    "nobody_to_nudge": _("The game waits for nobody at the moment."),
    "your_own_turn": _("The game waits for you alone."),
    "nudge_paused": _("The game is paused: nobody has to move."),
    "nudge_quiet": _("These are the quiet hours of the group, {until}. The clock stands still, too."),
    "nudged_lately": _("One nudge an hour is enough: please wait {until}."),
    "no_vacation_here": _(
        "This game is played at one sitting, so a vacation does not stop its clocks. /pause does, if all agree."
    ),
    "away_form": _("Until when? Write for example: /away until 5 December, /away 2026-12-05 or /away 5 days"),
    "away_until": _("You are on vacation {until}, at all your tables: no clock runs for you. /back ends it."),
    "vacation_over": _("Welcome back! Your clocks run again at all your tables."),
    "reminders_now": _("{now}\nWhen shall I remind you that a game waits for you?"),
    "reminders_form": _("Write one of these: /reminders both, /reminders half, /reminders late, /reminders none"),
    "reminders_both": _("I remind you when half of your time is gone, and when it runs out."),
    "reminders_half": _("I remind you when half of your time is gone."),
    "reminders_late": _("I remind you when your time runs out."),
    "reminders_none": _("I do not remind you."),
    "button_reminders_both": _("Both times"),
    "button_reminders_half": _("At half time"),
    "button_reminders_late": _("When it runs out"),
    "button_reminders_none": _("Never"),
    "none_waits": _("No other table waits for you."),
    "no_hand_yet": _("The cards are not dealt yet."),
    "no_hand_now": _("The game is over: nobody holds cards any more."),
    "you_are_away": _("You are away, so the clock plays for you. /back takes your seat again."),
    "standing": _("Score: {scores}"),
    "no_score_yet": _("No set has been scored yet."),
    "no_sheet": _("This game has no score sheet: /table shows how it stands."),
    "time_was_up": _("⏱ Time was up for {names}: the clock made the move."),
    "earlier_rows": _("(the first {number} sets are left out)"),
    "proposal_end": _("Shall the game end here, without a winner? Agreed so far: {agreed}"),
    "proposal_pause": _("Shall the game pause, with no clock running? Agreed so far: {agreed}"),
    "proposal_kick": _("Shall {name} leave the table for good? Agreed so far: {agreed}"),
    "proposal_stand_in_on": _("Shall a computer player stand in for whoever is away? Agreed so far: {agreed}"),
    "proposal_stand_in_off": _("Shall no computer player stand in any more? Agreed so far: {agreed}"),
    "proposal_seat": _("{by} asks to take over the seat of {name} (seat {number}). Agreed so far: {agreed}"),
    "agreed_nobody": _("nobody"),
    "over": _("The game is over: {why}."),
    "winner": _("Winner: {names}"),
    "again": _("Once more? /{game}"),
    "seed": _("The seed of the shuffle, whose SHA-256 you have seen:"),
    "seed_how": _("How to check the deal: /fair"),
    "fair": _("Fair deals at {pair}"),
    "moved_on": _("This message is out of date: a newer one stands further down."),
    # Answers to buttons
    "joined": _("You have a seat. Welcome!"),
    "left_lobby": _("Your seat is free again."),
    "computer_added": _("A computer player sits down."),
    "computer_removed": _("The computer player leaves."),
    "started": _("The cards are dealt. My hand shows yours."),
    "started_apart": _("The cards are dealt: your hand comes below."),
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
    "seat_lost": _("You have no seat at {pair} ({game}) any more. Thank you for playing there!"),
    "sent_away": _("You were asked to leave that table, so this invitation does not lead back to it."),
    "no_table": _("There is no table here yet. Open one: {games}"),
    "no_table_for_you": _("You sit at no table. Open one, here or in a group with me: {games}"),
    "table_is_over": _("The game is over. A new table: {games}"),
    "not_now": _("That cannot be played now. My hand shows you what can."),
    "hand_in_group": _("Nobody else sees your hand: press My hand, or play in our private chat."),
    "not_so_fast": _("One word every {seconds} seconds, please."),
    "in_private": _("Answer in our private chat: nobody may see it before all have answered."),
    "in_the_group": _("Answer in the table's own chat: the quickest message there wins."),
    "no_move": _("Write the move with it: {example}"),
    "log_how": _("Write /log, or /log 3 for the third set; “{text}” is no number of a set."),
    "log_of_set": _("{game}, set {number}"),
    "log_before": _("{game}, before the first deal"),
    "log_empty": _("Nothing yet."),
    "page_later": _("This chat is busy. Press again in a moment."),
    "button_set": _("Set {number}"),
    "button_before": _("Lobby"),
    "export_not_yours": _("Whoever plays at this table may export it, and the group's administrators."),
    "export_nothing": _("The game has not begun: there is nothing to export yet."),
    "export_too_long": _("This history is too long for a message. Ask whoever runs me for it."),
    "export_later": _("This chat is busy, so there is no room for files now. Write /export again in a minute."),
    "resting": _("I am being looked after for a while. Your games are safe: they wait, and no clock runs."),
    "resting_button": _("Being looked after: please wait a while"),
    "audit_how": _("Write /audit, /audit 3 for the third set, or /audit file for all of it as a page; not “{text}”."),
    "audit_no_set": _("There is no set {number} at this table. It has {sets} so far."),
    "audit_more": _("… Earlier sets: /audit 1, or all of it as a page: /audit file"),
    "audit_later": _("This chat is busy, so there is no room for a file now. Write it again in a minute."),
    "export_log": _("The event log: everything that happened at this table, hidden cards sealed."),
    "did_you_mean": _("I cannot read “{text}”. Did you mean {move}? Then write: {example}"),
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
    "which_table": _("Which table do you mean?"),
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
        "Hello! I deal the cards, see to the rules and keep the score. Which game shall it be? Computer players can "
        "fill up the table. /rules says how a game is played, /help the rest."
    ),
    "help": _(
        "/new, or {games} – open a table here\n"
        "/rules – how the game is played\n"
        "/hand – your hand, for you alone\n"
        "{moves}\n"
        "/table – show the table further down\n"
        "/score – the score sheet\n"
        "/log – what was played, set by set\n"
        "/export – the record and the event log as files\n"
        "/fair – how to check that the deals were fair\n"
        "/audit – what the history proves, set by set\n"
        "/standings – who has won how many games here\n"
        "/mytables – the tables where you sit, in any group\n"
        "/options – the options of the table\n"
        "/cut 17 – cut the cards before the start\n"
        "/leave, /back – give up your seat, take it again\n"
        "/away 5 days – a vacation at all your tables, until /back\n"
        "/nudge – call whoever the game waits for\n"
        "/reminders – when I remind you\n"
        "/plan QS, KS – your next move, played as soon as it may be\n"
        "/forced on – moves without an alternative are made for you\n"
        "/end – propose to end the game\n"
        "/pause, /resume, /kick 2, /standin on – what the players agree on\n"
        "/invite – friends join by a link, without a group\n"
        "/language, /privacy, /forget – what concerns you alone\n"
        "With several tables, name the one you mean: /table red-fox\n"
        "/help kick – how one command is used"
    ),
    "hears": _("In a group I listen only to commands, answers to my messages and buttons; the rest is yours alone."),
    "moves_of": _("{moves} – your move in {game}"),
    "help_with": _("{command} – {words}\nFor example: {example}"),
    "did_you_mean_command": _("Did you mean {command}? {words}"),
    "no_such_command": _("I know no {command}. /help says what I can do."),
    # Tables by name, several of them
    "no_table_called": _("No table here is called {pair}. /mytables lists yours."),
    "which_game": _("Which game shall it be?"),
    "opened": _("Here is your table."),
    "opened_alone": _(
        "This table is played right here, in private chats. Add computer players, or press Invite friends for a link "
        "that you can send on."
    ),
    "mytables_line": _("{pair} · {words}"),
    # Questions asked back
    "button_yes": _("Yes"),
    "button_no": _("No, leave it"),
    "understood": _("Done."),
    "never_mind": _("Nothing has been changed."),
    "answered_before": _("That has been answered already."),
    "asked_another": _("This question was for somebody else."),
    "press_as_yourself": _("You press in the name of the group: please do it as yourself, so that I know who it was."),
    # Arranging a lobby
    "button_clock": _("⏱ {span} a move"),
    "button_no_clock": _("⏱ no clock"),
    "button_preset": _("Rules: {name}"),
    "button_own_rules": _("Rules: your own"),
    "button_stand_in_on": _("Whoever is away: a computer player plays"),
    "button_stand_in_off": _("Whoever is away: the clock plays"),
    "stand_in_on": _("A computer player takes the seat of whoever is away, until he is back."),
    "stand_in_off": _("The clock plays for whoever is away, by the rules of the game."),
    "standin_form": _("Write /standin on or /standin off."),
    "sure_standin_on": _("Let a computer player take the seat of whoever is away from {pair}?"),
    "sure_standin_off": _("Let the clock play again for whoever is away from {pair}?"),
    "done_standin_on": _("{by} lets a computer player stand in for whoever is away from {pair}."),
    "done_standin_off": _("{by} has ended the standing in at {pair}: the clock plays for whoever is away."),
    "button_rematch": _("Once more"),
    "button_invite": _("Invite friends"),
    "button_share": _("Send the link"),
    "clock_set": _("Everybody has {span} for a move."),
    "clock_none": _("Nobody is in a hurry: there is no clock."),
    "preset_set": _("Rules: {name}. /options shows them."),
    "game_chosen": _("{game} it is. Another game: /new"),
    "invited_below": _("The link stands below."),
    "invitation": _("Come and play! This link takes a seat at the table: {link}"),
    "no_invitation": _("This invitation leads nowhere any more. Ask for a new one."),
    "invitation_late": _("The game has already begun, and its seats are taken."),
    "invite_in_group": _("In a group nobody needs an invitation: Join is under the table's message."),
    "rematch_open": _("The next game is being arranged; you have your seats again."),
    "rematch_by_players": _("Those who played may ask for another game. You can open a table: {games}"),
    "lobby_expired": _("Nothing happened at {pair} for a day, so I have closed it. Open a new table any time: {games}"),
    # Administrators
    "host_only": _("Only whoever opened this table may do that."),
    "proposed": _("The others are asked: as soon as all have agreed, it is done."),
    "admins_only": _("Only the administrators of this group may do that."),
    "an_administrator": _("An administrator"),
    "reason": _("Why: {why}"),
    "kick_form": _("Say whose seat, by number or name, and why if you like: /kick 2 never here"),
    "replace_form": _(
        "Answer a message of whoever is to take the seat, and say whose seat, by number or name: /replace 2"
    ),
    "sure_pause": _("Pause {pair}? No clock runs and nobody moves until /resume."),
    "sure_resume": _("Let {pair} go on?"),
    "sure_close": _("Close {pair} for good, without a winner?"),
    "penalty_form": _("Say whose card and in which trick: /penalty Bob 5, and why, if you like."),
    "sure_penalty": _(
        "Have what {name} played to trick {number} at {pair} punished as the rules say? If the cards on the table "
        "prove it, the set counts for nobody."
    ),
    "done_penalty": _("{by} has had {name} punished at {pair} for trick {number}, as the rules say."),
    "sure_void": _("Have the set that is played at {pair} not count? Nobody scores it, and the next one is dealt."),
    "sure_kick": _("Send {name} away from {pair}? Coming back takes /replace."),
    "sure_replace": _("Give the seat of {name} at {pair} to {other}, with the cards and the score?"),
    "done_pause": _("⏸ {by} has paused {pair}."),
    "done_resume": _("▶ {by} lets {pair} go on."),
    "done_close": _("{by} has closed {pair}."),
    "done_void": _("{by} has had the set at {pair} not count."),
    "done_kick": _("{by} has sent {name} away from {pair}."),
    "done_replace": _("{by} has given the seat of {name} at {pair} to {other}."),
    "resumed": _("▶ {by} lets the game go on."),
    "paused_away": _("⏸ {pair} pauses: I cannot write to its chat at the moment. No clock runs until I can."),
    "resumed_here": _("▶ {pair} goes on: I can write to its chat again."),
    # Settings, languages, privacy
    "settings": _(
        "Language: {language}\nTime zone: {zone}\nQuiet hours: {quiet}\nPin the table: {pin}\n\n"
        "Press a button, or write for example: /settings zone=Europe/Madrid quiet=22:00-08:00"
    ),
    "settings_form": _(
        "I cannot use “{text}”. Write for example: /settings language=es zone=Europe/Madrid quiet=22:00-08:00 pin=no"
    ),
    "setting_set": _("Set."),
    "quiet_none": _("no quiet hours"),
    "word_yes": _("yes"),
    "word_no": _("no"),
    "button_pin": _("📌 Pin the table"),
    "button_unpin": _("Do not pin the table"),
    "language_which": _("Which language shall I speak with you?"),
    "language_of_group": _("Which language shall I speak here? An administrator chooses."),
    "language_set": _("From now on: {name}."),
    "language_draft": _("{name} (draft)"),
    "no_language": _("I do not speak that yet. There are: {names}."),
    "privacy": _(
        "What I keep: your name as Telegram shows it, your Telegram number, and your choices (language, reminders). "
        "Games are kept as lists of moves, in which you are a random number.\n"
        "I read commands, answers to my messages and what you write to me alone; nothing else from a group is kept. "
        "Cards are sealed until a set is over.\n"
        "/forget removes all that says who you are."
    ),
    "forget_in_private": _("Write /forget in our private chat, please."),
    "sure_forget": _(
        "Forget you? Your name, this chat and your choices are removed. The games you played stay, without your name."
    ),
    "sure_forget_playing": _(
        "Forget you? You leave the tables where you sit ({number}). Your name, this chat and your choices are removed; "
        "the games you played stay, without your name."
    ),
    "forgotten": _("You are forgotten. If you write to me again, we meet for the first time."),
}

COMMANDS: dict[str, str] = {
    "hand": _("Your hand, for you alone"),
    "table": _("Show the table"),
    "rules": _("How the game is played"),
    "score": _("The score sheet"),
    "log": _("What was played: /log, or /log 3 for the third set"),
    "export": _("The record and the event log as files"),
    "fair": _("How to check that the deals were fair"),
    "audit": _("What the history proves: /audit, /audit 3, /audit file"),
    "standings": _("Who has won how many games here"),
    "mytables": _("The tables where you sit"),
    "options": _("The options of the table"),
    "cut": _("Cut the cards: /cut 17"),
    "plan": _("Plan your next move: /plan QS, KS"),
    "forced": _("Have moves without an alternative made for you"),
    "leave": _("Give up your seat"),
    "back": _("Take your seat again"),
    "away": _("A vacation at all your tables: /away until 5 December"),
    "nudge": _("Call whoever the game waits for"),
    "reminders": _("When I remind you that a game waits"),
    "end": _("Propose to end the game"),
    "help": _("What I can do, or how a command is used"),
    "new": _("Choose a game and open a table"),
    "invite": _("The link that brings friends to your table"),
    "language": _("The language I speak with you, or in this group"),
    "pause": _("Pause the game, if the others agree"),
    "resume": _("Let a paused game go on"),
    "kick": _("Send somebody away, if the others agree"),
    "standin": _("Let a computer player stand in for whoever is away, if the others agree"),
    "privacy": _("What I keep of you"),
    "forget": _("Forget who you are"),
}

ADMIN_COMMANDS: dict[str, str] = {
    "settings": _("Language, time zone, quiet hours and pins of this group"),
    "replace": _("Give a seat to somebody else"),
    "void": _("Have the set that is played not count"),
    "penalty": _("Have proved cheating punished as the rules say"),
    "close": _("Close a table without a winner"),
}

EXAMPLES: dict[str, str] = {
    "table": "/table red-fox",
    "rules": "/rules callbreak",
    "options": "/options turn_seconds=3600",
    "cut": "/cut 17",
    "help": "/help score",
    "plan": "/plan QS, KS",
    "forced": "/forced on",
    "away": "/away until 5 December",
    "reminders": "/reminders half",
    "language": "/language fr",
    "settings": "/settings zone=Europe/Madrid quiet=22:00-08:00",
    "pause": "/pause red-fox holidays",
    "kick": "/kick 2 never here",
    "standin": "/standin on",
    "replace": "/replace 2",
    "audit": "/audit 3",
    "penalty": "/penalty Bob 5",
    "void": "/void red-fox a card fell on the floor",
    "close": "/close red-fox nobody plays any more",
}
"""How a command is written that takes more than itself; the same in every language."""

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


def admin_commands(texts: Texts) -> list[tuple[str, str]]:
    """The commands of a group's administrators beside everybody's, with their descriptions."""
    return [(name, texts.gettext(said)) for name, said in ADMIN_COMMANDS.items()]


def commands(texts: Texts) -> list[tuple[str, str]]:
    """The commands with their descriptions, as a chat lists them; a word that moves in several games once."""
    found = {slug: texts.gettext(_OPEN).format(game=game_name(texts, slug)) for slug in GAMES}
    found |= {name: texts.gettext(said) for name, said in COMMANDS.items()}
    for slug, rules in GAMES.items():
        for word, example in rules.examples.items():
            said = texts.gettext(words(slug).commands.get(word, "")) or f"{game_name(texts, slug)}: /{example}"
            found[word] = f"{found[word]} · {said}" if word in found else said
    return list(found.items())
