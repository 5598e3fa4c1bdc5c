"""Run every benchmark, one after the other: ``python -m benchmarks``."""

import pkgutil
import runpy

import benchmarks

if __name__ == "__main__":
    for info in pkgutil.iter_modules(benchmarks.__path__):
        if info.name not in ("__main__", "bundles", "machine"):
            print(f"== {info.name}")
            runpy.run_module(f"benchmarks.{info.name}", run_name="__main__")
