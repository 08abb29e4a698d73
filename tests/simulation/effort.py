"""How much of the simulation runs: a sample with every change, everything with `make proof` (PROOF=1)."""

import os

PROOF = os.environ.get("PROOF") == "1"
