"""The list of components of the image (CycloneDX), of what is really installed beside the Python that runs this.

python components.py BASE > components.cdx.json      BASE: the image it was built from, by its digest

The same installation gives the same bytes: no time, no random number, everything in order.
"""

import json
import re
import sys
from importlib.metadata import Distribution, distributions
from typing import Any

ITSELF = "signalbox"


def document(base: str) -> dict[str, Any]:
    found = {_name(one): one for one in distributions()}
    itself = found.pop(ITSELF, None)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "name": ITSELF, "version": itself.version if itself else "0"},
        },
        "components": [_base(base), *(_component(name, found[name]) for name in sorted(found))],
    }


def _base(base: str) -> dict[str, Any]:
    """What the base holds is its own list's; it is named by digest, so that list can be made of exactly it."""
    name, _, digest = base.partition("@sha256:")
    return {
        "type": "container",
        "bom-ref": base,
        "name": name,
        "hashes": [{"alg": "SHA-256", "content": digest}] if digest else [],
    }


def _component(name: str, one: Distribution) -> dict[str, Any]:
    licence = one.metadata["License-Expression"]
    return {
        "type": "library",
        "bom-ref": f"pkg:pypi/{name}@{one.version}",
        "name": name,
        "version": one.version,
        "purl": f"pkg:pypi/{name}@{one.version}",
        "licenses": [{"expression": licence}] if licence else [],
    }


def _name(one: Distribution) -> str:
    return re.sub(r"[-_.]+", "-", one.metadata["Name"]).lower()


if __name__ == "__main__":
    json.dump(document(sys.argv[1]), sys.stdout, indent=1, sort_keys=True)
    sys.stdout.write("\n")
