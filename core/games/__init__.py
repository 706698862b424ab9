"""One module a game."""
