"""A session: its link, what is kept of it, and what it shares with its pages."""
