"""Tables that are read, module by module."""
