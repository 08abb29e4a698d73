"""Times as people read them on a page: how long ago up to a week, then the date; the absolute time is always there."""

from datetime import datetime, timedelta

from markupsafe import Markup

from bot.domain.model.text import whole_second

WEEK = timedelta(days=7)


def span(length: timedelta) -> str:
    """A length in one unit: "24 min", "3 h", "5 d"."""
    minutes = max(0, int(length.total_seconds() // 60))
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // (24 * 60)} d"


def absolute(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def age(at: datetime, now: datetime) -> str:
    if now - at < timedelta(minutes=1):
        return "now"
    return span(now - at) if now - at <= WEEK else f"{at.day} {at:%b %Y}"


def since(at: datetime, now: datetime) -> Markup:
    """The script keeps it fresh by `datetime`."""
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        f"{at:%Y-%m-%dT%H:%M:%SZ}", absolute(at), age(at, now)
    )


def clock(at: datetime) -> Markup:
    """Where the absolute time is the fact: leases, settling."""
    return Markup('<time datetime="{}">{}</time>').format(f"{at:%Y-%m-%dT%H:%M:%SZ}", f"{at:%Y-%m-%d %H:%M:%S} UTC")


def over(at: datetime) -> Markup:
    """When something ends that people wait for."""
    return clock(whole_second(at))


def day(at: datetime, now: datetime) -> str:
    """Heading of a day: "Today, 30 November"."""
    words = f"{at.day} {at:%B}" if at.year == now.year else f"{at.day} {at:%B %Y}"
    days = (now.date() - at.date()).days
    near = {0: "Today, ", 1: "Yesterday, "}.get(days, "")
    return f"{near}{words}"
