"""Files that describe hypergraphs, module by module."""
