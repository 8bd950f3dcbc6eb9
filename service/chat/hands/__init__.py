"""Hands and moves: how a player sees his cards, and all the ways to play one."""
