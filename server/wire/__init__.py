"""Core fields to and from protobuf messages, one file a game."""
