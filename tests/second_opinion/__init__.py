"""The rules once more in plain Python, slow and easy to check by eye: the core must agree."""
