"""Prints the bill of materials (CycloneDX) of this package: what it needs, in the versions that are installed here."""

import json
import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any


def needed(package: Distribution) -> Iterator[Distribution]:
    """Leaves out extras, and what only other versions of Python need."""
    for requirement in package.requires or []:
        name = re.split(r"[^\w.-]", requirement)[0]
        if "extra ==" not in requirement:
            try:
                yield distribution(name)
            except PackageNotFoundError:
                continue


def purl(package: Distribution) -> str:
    return f"pkg:pypi/{re.sub('[-_.]+', '-', package.metadata['Name']).lower()}@{package.version}"


def component(package: Distribution) -> dict[str, Any]:
    licence = package.metadata.get("License-Expression") or package.metadata.get("License")
    found: dict[str, Any] = {"type": "library", "bom-ref": purl(package), "name": package.metadata["Name"]}
    found |= {"version": package.version, "purl": purl(package)}
    return found | ({"licenses": [{"expression": licence}]} if licence else {})


def all_needed(package: Distribution, found: dict[str, Distribution]) -> dict[str, Distribution]:
    if purl(package) not in found:
        found[purl(package)] = package
        for other in needed(package):
            all_needed(other, found)
    return found


def bill(name: str) -> dict[str, Any]:
    packages = all_needed(distribution(name), {})
    itself, *others = (component(package) for package in packages.values())
    edges: list[dict[str, Any]] = [
        {"ref": ref, "dependsOn": sorted(map(purl, needed(package)))} for ref, package in packages.items()
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": itself},
        "components": others,
        "dependencies": edges,
    }


if __name__ == "__main__":
    print(json.dumps(bill("keycloak-checktoken-client"), indent=2))
