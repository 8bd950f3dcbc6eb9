"""Whom a game waits for, and how he hears of it."""
