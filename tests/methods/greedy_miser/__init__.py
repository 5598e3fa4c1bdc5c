"""Greedy Miser, module by module."""
