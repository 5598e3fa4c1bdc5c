"""Figures, each described once."""
