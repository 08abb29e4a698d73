"""Policies and findings from what somebody typed."""

from bot.documents.yaml_text import read
from bot.domain.model.policy import Policy
from bot.domain.model.written import Finding
from bot.domain.policy.reading import Read, read_policy

VERSION = "version: 1\n"


def reading(text: str) -> Read:
    return read_policy(read((VERSION + text).encode()))


def policy(text: str) -> Policy:
    """Raises AssertionError with the findings where there is none."""
    found = reading(text)
    assert found.policy is not None, found.findings
    return found.policy


def said(findings: tuple[Finding, ...], *levels: str) -> list[str]:
    """`3 gates.plan.reviews: …`, of these levels or of all. The first line of `text` is the second of the file."""
    wanted = levels or ("error", "warning", "notice")
    return [f"{one.line} {one.path}: {one.message}" for one in findings if one.level in wanted]
