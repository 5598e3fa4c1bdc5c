"""Data sets that are made or bundled, one file each; the package is walked."""
