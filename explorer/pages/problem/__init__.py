"""The problem page: what features cost, and what they share."""
