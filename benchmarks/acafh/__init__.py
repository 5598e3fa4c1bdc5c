"""ACAFH against the published algorithm and scikit-learn's L1 path.

``python -m benchmarks.acafh`` runs everything on one core, prints a table and writes
``benchmarks/results/acafh.json``. Data x solver x objective, as in benchopt: a solver
is timed, its objective is evaluated off the clock, the first run is not counted.
"""
