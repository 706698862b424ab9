"""The players: search, baselines, matches. They take views, never states."""
