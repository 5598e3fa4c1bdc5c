"""Views: each draws one thing from the state, and knows of no other."""
