"""The problem page: what features cost, and what they share."""

QUESTION = "Prices: what does each feature cost, and what is shared?"
