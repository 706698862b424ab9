"""Kuhn poker, a game for islebots."""
