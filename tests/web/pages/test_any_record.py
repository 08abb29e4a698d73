"""Whatever a record holds, its page can be made, holds no markup of others, and awaits whom the comment awaits."""

import re
from datetime import timedelta

from hypothesis import given, settings

from bot.app.dossier import Dossier
from bot.app.overview import Row
from bot.app.policy.standing import Standing
from bot.app.revisions import Traced
from bot.domain.explain.tree import explain
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.projections.headline import first_line, second_line
from bot.domain.projections.show import Show, WebAddress
from bot.web.pages.frame import page
from bot.web.pages.inline import HERE
from bot.web.pages.lifecycle import shown
from bot.web.pages.listing import shown_row
from tests.kit.records import at
from tests.kit.some_records import policies, records
from tests.web.pages.reading import Node, read

TAGS = {
    *("a", "abbr", "article", "aside", "b", "blockquote", "body", "br", "button", "caption", "circle", "code", "dd"),
    *(
        "defs",
        "del",
        "details",
        "div",
        "dl",
        "dt",
        "em",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "header",
    ),
    *(
        "hr",
        "html",
        "ins",
        "label",
        "li",
        "link",
        "main",
        "meta",
        "meter",
        "nav",
        "ol",
        "p",
        "path",
        "pre",
        "rect",
        "s",
    ),
    *("script", "section", "span", "strong", "summary", "svg", "symbol", "table", "tbody", "td", "th", "thead", "time"),
    *("title", "tr", "ul", "use", "wbr"),
}


def drawn(record: Record, policy: Policy) -> Node:
    as_of = at("14:40")
    show = Show(record, policy, as_of, WebAddress(HERE))
    explanation = explain(record, policy, as_of)
    dossier = Dossier(
        record=record,
        policy=policy,
        explanation=explanation,
        lines=(first_line(show), second_line(show, explanation)),
        trace=Traced((), {record.plan.revision: record.plan} if record.plan else {}),
        changed=None,
        refusal=None,
        slots=(),
        effects=(),
        rules=Standing("strict (built in)"),
        updated_at=as_of,
        now=as_of + timedelta(hours=1),
    )
    answer = page("lifecycle.html", theme="", caller="ada", **shown(dossier, "https://github.com", {}))
    return read(bytes(answer.body).decode())


@settings(max_examples=150, deadline=None)
@given(records(), policies())
def test_every_record_has_a_page_without_markup_of_others(record: Record, policy: Policy) -> None:
    document = drawn(record, policy)

    assert {node.tag for node in document.all()} <= TAGS
    assert [node for node in document.all("script") if "src" not in node.attributes] == []
    for node in document.all():
        assert not any(name.startswith("on") or name in {"style", "srcdoc"} for name in node.attributes)
        assert re.match(r"(https?://|/|#|data:image/svg)", node.attributes.get("href", "#"))


@settings(max_examples=150, deadline=None)
@given(records(), policies())
def test_every_record_has_a_row_in_the_list(record: Record, policy: Policy) -> None:
    explanation = explain(record, policy, at("14:40"))
    show = Show(record, policy, at("14:40"), WebAddress(HERE))
    waits = second_line(show, explanation)

    row = shown_row(Row(record, policy, explanation, first_line(show), waits))

    assert row.title.strip()
    said = f"{row.who}. {row.more}" if row.more else f"{row.who}."
    assert said.rstrip(".").casefold() == waits.removeprefix("Waiting for ").rstrip(".").casefold()
    assert row.about[1:] in first_line(show) or "asked by" in row.about
    assert len(row.lamps) == 4
