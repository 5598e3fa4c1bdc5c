"""The structured-costs page: what mistakes on linked things cost."""

QUESTION = "Linked mistakes: what do mistakes on linked things cost?"
