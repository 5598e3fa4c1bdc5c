"""``python -m explorer`` is the command ``thriftscope``."""

import sys

from .commands.cli import main

sys.exit(main())
