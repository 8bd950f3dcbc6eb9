"""Accounts of tables: what a history shows to whoever checks it, as data, as lines of text, as JSON and as a page."""
