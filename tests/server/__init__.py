"""Tests of the service: the doors, the layer behind them, the wire forms."""
