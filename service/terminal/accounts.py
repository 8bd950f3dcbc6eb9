"""How accounts of tables leave the command line: as lines, as JSON on standard output, as a page in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from eventstore.record import Commit
from service.directory import Directory
from service.reports.account import FORMAT, Account
from service.reports.page import page
from service.reports.telling import account_of, with_reasons
from service.terminal import exports
from service.terminal.looking import Sight
from service.terminal.screen import Screen
from service.text import accounts

_REASONS = "reasons"  # the directory's hash of the words of administrators' acts


@dataclass(slots=True)
class Wish:
    """What somebody wants of an audit beside its verdict; `found` are the accounts so far."""

    json: bool = False
    html: str | None = None
    known: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    found: list[Account] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Whether every table is to be told, not only one that is asked for alone."""
        return self.json or self.html is not None

    async def learn(self, sight: Sight) -> None:
        """From now on with the names and the reasons that the deployment keeps."""
        if sight.store is not None:
            directory = Directory(sight.store)
            self.known = await directory.everything("names")
            self.reasons = await directory.everything(_REASONS)

    def account(self, name: str, commits: Sequence[Commit]) -> Account:
        """The account of a table, which is kept for the end."""
        start = f"{name} "
        reasons = {hash_.removeprefix(start): why for hash_, why in self.reasons.items() if hash_.startswith(start)}
        account = with_reasons(account_of(name, commits), reasons)
        self.found.append(account)
        return account

    def say(self, screen: Screen, account: Account) -> None:
        """Prints an account as lines, where it is not wanted as JSON."""
        if not self.json:
            called = accounts.names(screen.texts, account, self.known)
            screen.say(*accounts.lines(screen.texts, account, called, self.known)[:-1])

    def finish(self, screen: Screen) -> None:
        """Writes the JSON, and the page. Raises Wrong where the file cannot be written."""
        if self.json:
            document = {"format": FORMAT, "tables": [msgspec.to_builtins(account) for account in self.found]}
            screen.out.file.write(msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n")
        if self.html is not None:
            with exports.destination(screen.texts, self.html) as write:
                write(page(screen.texts, self.found, self.known).encode())
