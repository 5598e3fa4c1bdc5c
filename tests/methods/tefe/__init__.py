"""TEFE, module by module."""
