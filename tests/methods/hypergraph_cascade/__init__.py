"""The hypergraph cascade, module by module."""
