"""The hypergraph cascade beside every other method, under one rule for all."""
