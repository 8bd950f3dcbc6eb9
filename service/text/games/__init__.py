"""The words of each game: a module a game, called by its slug, with one record `WORDS` (`service.text.words`)."""
