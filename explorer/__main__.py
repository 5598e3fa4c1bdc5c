"""``python -m explorer`` is the command ``thriftscope``."""

import sys

from .cli import main

sys.exit(main())
