"""Bots for four island games: rules, search and service."""
