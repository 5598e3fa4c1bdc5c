"""A class's name has one meaning in the whole house."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_no_two_modules_define_classes_of_one_name():
    homes = defaultdict(list)
    for package in ("solvers", "explorer"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    homes[node.name].append(str(path.relative_to(ROOT)))
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}
