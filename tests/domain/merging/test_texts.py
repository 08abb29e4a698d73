"""The merge commit's texts call nobody and close nothing, whatever people wrote."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.merging.texts import TITLE_LIMIT, inert, merge_texts
from bot.domain.model.credits import credits_of
from bot.domain.model.ids import Person
from bot.domain.model.policy import STRICT, MergeRule
from tests.kit.records import HEAD, PEOPLE, a_pull, authorised
from tests.kit.some_records import HOSTILE

CLOSES = re.compile(
    r"(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s*:?\s+(?:(?:[\w.-]+/[\w.-]+)?#|gh-|https?://\S+/(?:issues|pull)/)\d"
)
SKIPS = re.compile(r"(?i)\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Retry uploads", "Retry uploads"),
        ("by @ada and @org/team", "by ada and org/team"),
        ("Fixes #3", "Fixes 3"),
        ("closes: #3, resolves octo/app#4", "closes: 3, resolves 4"),
        ("see #3", "see #3"),
        ("fixes GH-3", "fixes 3"),
        ("fixes https://github.com/octo/app/issues/3", "fixes 3"),
        ("[skip ci] x [CI SKIP]", "x"),
        ("x [skip [skip ci]ci]", "x"),
        ("two\nlines\tand  more", "two lines and more"),
        ("a\u202eb\u200bc", "abc"),
    ],
)
def test_user_text_is_inert_in_a_commit_message(text: str, expected: str) -> None:
    """known-faults.md, row 104."""
    assert inert(text) == expected


def assert_inert(text: str) -> None:
    assert "@" not in text
    assert not CLOSES.search(text)
    assert not SKIPS.search(text)


@given(st.sampled_from(HOSTILE) | st.text(max_size=200) | st.text("fixes #3@[kpc]", max_size=40))
@settings(deadline=None)
def test_no_text_is_more_than_text(text: str) -> None:
    assert_inert(inert(text))
    assert inert(inert(text)) == inert(text)


#: Harmless until something is taken away from the middle.
NESTED = ("[skip [skip ci]ci]", "Fixes fixes #3", "f@ixes #3", "fixes @#3", "fixes [no ci]#3", "fixes #[no ci]3")


@pytest.mark.parametrize("text", [*HOSTILE, *NESTED])
def test_neither_title_nor_body_of_a_merge_means_more_than_it_says(text: str) -> None:
    """known-faults.md, row 104."""
    record = authorised(pull=a_pull(title=text))
    hostile = Person(id=PEOPLE["grace"].id, login=text)
    decisions = tuple(d.model_copy(update={"by": hostile}) if d.by.login == "grace" else d for d in record.decisions)
    title, body = merge_texts(record.model_copy(update={"decisions": decisions}), STRICT)
    assert_inert(title)
    assert_inert(body)
    assert len(title) <= TITLE_LIMIT
    assert len(body.splitlines()) == 4


def test_a_template_is_filled_once_and_never_from_user_text() -> None:
    policy = STRICT.model_copy(update={"merge": MergeRule(title="{title} ({issue})", body="{number}")})
    assert merge_texts(authorised(pull=a_pull(title="{summary}")), policy) == ("{summary} (12)", "34")


def filled(title: str, template: str, body: str = "x") -> tuple[str, str]:
    policy = STRICT.model_copy(update={"merge": MergeRule(title=template, body=body)})
    return merge_texts(authorised(pull=a_pull(title=title)), policy)


@pytest.mark.parametrize(
    ("title", "template", "expected"),
    [
        ("#3 was wrong", "fix: {title} (#{number})", "fix: 3 was wrong (#34)"),
        ("octo/app#3", "Closes {title}", "Closes 3"),
        ("3 was wrong", "fix: #{title}", "fix: 3 was wrong"),
        ("2", "fixes #1{title}", "fixes 12"),
        ("This fixes", "{title} #{number}", "This fixes 34"),
        ("ci", "[skip {title}]", "skip ci]"),
        ("ada", "for @{title}", "for ada"),
        ("Retry", "fixes #{issue}: {title} [skip ci] @ada", "fixes #12: Retry [skip ci] @ada"),
    ],
)
def test_a_title_joins_the_template_into_nothing_that_means_more(title: str, template: str, expected: str) -> None:
    """known-faults.md, row 104."""
    assert filled(title, template) == (expected, "x")


def test_a_title_is_no_trailer_of_the_body_and_the_body_no_end_of_the_title() -> None:
    assert filled("Skip-Checks: true", "x", "Done.\n\n\n{title}")[1] == "Done.\n\n\nSkip-Checks true"
    assert filled("true", "x", "skip-checks: {title}")[1] == "skip-checks true"
    assert filled("It fixes", "{title}", "#3 is old")[1] == "3 is old"
    assert filled("Retry", "x", "skip-checks: true")[1] == "skip-checks: true"


@given(
    st.text("fixes #3@[skpc:]\n", max_size=12),
    st.text("fixes #3@[skpc:]", max_size=12),
    st.text("fixes #3@[skpc:]", max_size=12),
)
@settings(deadline=None)
def test_no_title_makes_a_template_mean_more(title: str, before: str, after: str) -> None:
    alone = before + " x " + after
    text, _ = filled(title, f"x{before}{{title}}{after}")
    for meaning in (CLOSES, SKIPS):
        assert len(meaning.findall(text)) <= len(meaning.findall(f"x{alone}"))


@pytest.mark.parametrize("length", [100, 190, 193, 194, 195, 200, 300])
def test_a_long_title_gives_way_to_the_number(length: int) -> None:
    title, _ = filled("x" * length, "{title} (#{number})")
    assert title == f"{'x' * min(length, TITLE_LIMIT - 6)} (#34)"
    title, _ = filled("x" * length, "{summary} {summary} fixes #{number}")
    assert len(title) <= TITLE_LIMIT
    assert "\n" not in title


def test_the_body_names_who_authorised_what() -> None:
    title, body = merge_texts(authorised(), STRICT)
    assert title == "Retry uploads (#34)"
    assert body.splitlines()[0] == "Plan r2 by ada, approved by grace."
    assert body.splitlines()[2] == "Submit: review grace, gate omar."


CREW = (*(PEOPLE[name] for name in ("ada", "omar", "grace")), Person(id=10137, login="ghost"))


def test_who_else_pushed_is_a_co_author_of_the_squashed_commit() -> None:
    """known-faults.md, row 104: a squash has one author, and whoever else made it is not lost."""
    pull = a_pull(pushers=CREW[1:], commit_authors=CREW[:2])
    _, body = merge_texts(authorised(pull=pull), STRICT)
    grace, omar = PEOPLE["grace"].id, PEOPLE["omar"].id
    assert sorted(body.partition("\n\n")[2].splitlines()) == [
        f"Co-authored-by: grace <{grace}+grace@users.noreply.github.com>",
        f"Co-authored-by: omar <{omar}+omar@users.noreply.github.com>",
    ]


def test_whom_the_commits_of_this_head_credit_is_a_co_author_too() -> None:
    """known-faults.md, row 104."""
    credited = {"pushers": (), "co_authors": (PEOPLE["grace"],)}
    assert "by: grace <" in merge_texts(authorised(pull=a_pull(**credited, co_authors_of=HEAD)), STRICT)[1]
    assert "by: grace <" not in merge_texts(authorised(pull=a_pull(**credited, co_authors_of="0" * 40)), STRICT)[1]


def credited(*messages: str) -> list[str]:
    """What a squash of commits with these messages says below its own text."""
    found = credits_of([(PEOPLE["ada"], message) for message in messages], "github.com")
    said = {"co_authors": found.people, "trailers": found.trailers, "co_authors_of": HEAD, "pushers": ()}
    return merge_texts(authorised(pull=a_pull(**said)), STRICT)[1].splitlines()[5:]


def test_who_is_credited_by_an_address_stays_credited_and_signed_off_stays_so() -> None:
    """known-faults.md, row 104: most trailers have no number of an account."""
    first = "Retry\n\nCo-authored-by: Sue Ö. <sue+work@mail.example.org>\nsigned-off-by: Ada <ada@example.com>"
    again = "Greet\n\nCO-AUTHORED-BY: sue <Sue+Work@mail.example.org>\nCo-authored-by: sam <4242+sam@users.noreply.github.com>\r"
    old = "Wave\n\nCo-authored-by: lin <lin@users.noreply.github.com>\nSigned-off-by: Ada <ada@example.com>"
    assert credited(first, again, old) == [
        "Co-authored-by: sam <4242+sam@users.noreply.github.com>",
        "Co-authored-by: Sue Ö. <sue+work@mail.example.org>",
        "Co-authored-by: lin <lin@users.noreply.github.com>",
        "Signed-off-by: Ada <ada@example.com>",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Reviewed-by: lin <lin@example.com>",
        "Fixes: #3",
        "not Co-authored-by: lin <lin@example.com>",
        "Co-authored-by: lin",
        "Co-authored-by: <lin@example.com>",
        "Co-authored-by: @@ <lin@example.com>",
        "Co-authored-by: lin <@octo/core>",
        "Co-authored-by: lin <a.@lin.example.com>",
        "Co-authored-by: lin <a@octo/core>",
        "Co-authored-by: lin <a b@example.com>",
        "Co-authored-by: lin <a@example.com> fixes #3",
        "Co-authored-by: lin <a@b@example.com>",
        "Co-authored-by: lin <x@localhost>",
    ],
)
def test_no_other_line_of_a_commit_is_repeated(line: str) -> None:
    assert credited(f"Retry\n\n{line}") == []


@pytest.mark.parametrize("text", [*HOSTILE, *NESTED])
def test_the_name_in_a_trailer_means_no_more_than_it_says(text: str) -> None:
    for line in credited(f"Retry\n\nCo-authored-by: {text} <lin@example.com>"):
        name, address, rest = line.partition(" <lin@example.com>")
        assert_inert(name)
        assert (address, rest) == (" <lin@example.com>", "")


def test_co_authors_are_named_by_the_host_and_only_where_commits_become_one() -> None:
    there = a_pull(pushers=CREW, url="https://git.example.com/octo/app/pull/34")
    assert "+grace@users.noreply.git.example.com>" in merge_texts(authorised(pull=there), STRICT)[1]
    merging = STRICT.model_copy(update={"merge": MergeRule(method="merge")})
    assert "Co-authored-by" not in merge_texts(authorised(pull=a_pull(pushers=CREW)), merging)[1]


@pytest.mark.parametrize("login", [*HOSTILE, *NESTED, "", "a\nCo-authored-by: b <b@c>", "a <b@c>"])
def test_no_login_puts_anything_else_among_the_co_authors(login: str) -> None:
    pull = a_pull(pushers=tuple(Person(id=number, login=login) for number in range(100, 105)))
    assert_inert(merge_texts(authorised(pull=pull), STRICT)[1])


def test_co_authors_are_twenty_at_most() -> None:
    pull = a_pull(pushers=tuple(Person(id=number, login=f"p{number}") for number in range(100, 150)))
    assert merge_texts(authorised(pull=pull), STRICT)[1].count("Co-authored-by: ") == 20
    lines = [
        f"Co-authored-by: p <p{number}@example.com>\nSigned-off-by: p <p{number}@example.com>" for number in range(30)
    ]
    assert [line.partition(":")[0] for line in credited("\n".join(lines))] == ["Co-authored-by"] * 20 + [
        "Signed-off-by"
    ] * 20
