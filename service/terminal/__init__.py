"""The game in the terminal: one person and computer players, or computer players alone, on a deployment's store."""
