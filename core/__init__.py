"""The rules: plain C states, moves, chance, views, worlds."""
