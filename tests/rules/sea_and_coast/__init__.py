"""The rules of Sea and Coast, one test or more for each number of the rules page."""
