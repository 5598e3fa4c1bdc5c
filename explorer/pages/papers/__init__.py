"""The page Papers: whether what the five papers claim holds."""

QUESTION = "Papers: does it hold?"
