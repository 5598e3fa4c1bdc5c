"""ACAFH, module by module."""
