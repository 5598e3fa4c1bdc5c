"""Selective ridge, module by module."""
