"""DAG, module by module."""
