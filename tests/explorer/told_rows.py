"""How many test rows a text speaks of, and how many of them it calls right."""

import re

TOLD = re.compile(r"(\d+) test rows?, (?:(\d+) of them right|(right|wrong))")


def told_rows(text):
    """Return both, summed over all that a text says."""
    found = TOLD.findall(text)
    right = sum(int(many or one == "right") for _, many, one in found)
    return sum(int(count) for count, _, _ in found), right
