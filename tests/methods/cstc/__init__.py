"""CSTC, module by module."""
