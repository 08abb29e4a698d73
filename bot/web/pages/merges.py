"""Merges under way as a page: each with its evidence, under the address that comments link to."""

from dataclasses import dataclass

from bot.app.merges import UnderWay
from bot.domain.explain.offers import spelled
from bot.domain.model.merge import MergeRead
from bot.domain.model.record import Record
from bot.web.pages.lifecycle import MOST_READS, reads, title_of


@dataclass(frozen=True, slots=True)
class ShownMerge:
    """`settle` are the commands that end an unknown outcome; empty when nobody has to. `verdict` is Markdown."""

    record: Record
    title: str
    href: str
    github: str
    verdict: str
    alarm: bool
    reads: list[tuple[MergeRead, str, str]]
    older_reads: int
    settle: tuple[str, ...]


def shown_merge(merge: UnderWay, web_url: str) -> ShownMerge:
    record = merge.record
    alarm = record.merge.state == "ambiguous"
    settle = spelled(merge.policy, "settle")
    return ShownMerge(
        record=record,
        title=title_of(record),
        href=f"/lifecycles/{record.repository}/{record.issue}#merge",
        github=f"{web_url}/{record.repository}",
        verdict=merge.verdict,
        alarm=alarm,
        reads=reads(record),
        older_reads=max(0, len(record.merge.reads) - MOST_READS),
        settle=(f"{settle} merged ", f"{settle} unmerged ") if alarm else (),
    )
