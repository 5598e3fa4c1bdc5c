"""Numerical steps that two or more methods really use."""
