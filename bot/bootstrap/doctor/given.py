"""Findings about the settings themselves: what is missing, what does not fit together, and where each comes from."""

import os
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from bot.app.doctor.finding import Finding, ok, problem, span, warning
from bot.app.timing import owner_lease
from bot.setting_forms import LOOPBACK, parted
from bot.settings import Problem as Refusal
from bot.settings import Settings, SettingsRefused

EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - looked for, not listened on
#: Above this many lanes one writer and two cores do not get faster.
MANY_WORKERS = 16
#: A webhook secret with less than this can be tried out.
SECRET_LENGTH, SECRET_SIGNS = 16, 6
#: What stands in the README for a secret, and for the host of PUBLIC_URL.
PLACEHOLDER, PLACEHOLDER_HOST = "the-secret-of-the-webhook", "your-address"
WHY_REFUSED = "signalbox serve refuses to start."


def refused(problems: tuple[Refusal, ...]) -> list[Finding]:
    """Each setting that keeps the server from starting."""
    do = "correct it, then run this again."
    return [problem("settings", f"{one.setting} {one.what}", WHY_REFUSED, do) for one in problems]


def of_names(problems: tuple[Refusal, ...]) -> list[Finding]:
    """Each name that is no setting."""
    why = "what it says is not done."
    return [
        warning("settings", f"{one.setting} {one.what}", why, "correct the name, or delete it.") for one in problems
    ]


def of_open_files(problems: tuple[Refusal, ...]) -> list[Finding]:
    """Each file with secrets that other accounts may open."""
    why = "whoever reads them can act as this App, or tell this server anything in GitHub's name."
    do = "chmod 600 the file; change what somebody may have read already."
    return [warning("settings", f"{one.setting} {one.what.removesuffix(': chmod 600')}", why, do) for one in problems]


def _weak(secrets: Sequence[str]) -> Iterator[Finding]:
    do = "set 32 random characters here and at the App's webhook: openssl rand -hex 16"
    if PLACEHOLDER in secrets:
        why = "everybody who reads Signalbox's documentation can tell this server anything in GitHub's name."
        yield warning("settings", "a webhook secret is the placeholder of the README", why, do)
    if any(len(secret) < SECRET_LENGTH or len(set(secret)) < SECRET_SIGNS for secret in filter(None, secrets)):
        why = "who guesses it can tell this server anything in GitHub's name."
        yield warning("settings", "a webhook secret is short or simple enough to be guessed", why, do)


def of_settings(settings: Settings, sources: Mapping[str, str]) -> list[Finding]:
    try:
        app = settings.app()
    except SettingsRefused as no:
        return [*refused(no.problems), *_weak(parted(settings.webhook_secret))]
    if app is None:
        why = "this is set-up mode: the webhook answers 503, and nothing is done."
        do = "set APP_ID, PRIVATE_KEY_PATH and WEBHOOK_SECRET of your GitHub App."
        return [warning("settings", "no GitHub App is set", why, do)]
    key = (
        f"key read from {settings.private_key_path}"
        if settings.private_key is None
        else _from("key", "private_key", sources)
    )
    several = len(app.webhook_secrets)
    secrets = f"{several} webhook secrets" if several > 1 else "webhook secret"
    found = [ok("settings", f"APP_ID {app.app_id}, {key}, {_from(secrets, 'webhook_secret', sources)}")]
    found += [
        warning("settings", f"{one.setting} {one.what}", *_advice(one))
        for one in settings.warnings()
        if one.setting != "SETTLE_WINDOW_SECONDS"
    ]
    found += _weak(app.webhook_secrets)
    if several > 1:
        why = "each of them opens the webhook; an old one that leaked still does."
        found.append(
            warning(
                "settings", f"{several} webhook secrets are valid", why, "after the rotation leave the new one only."
            )
        )
    return found


def _advice(one: Refusal) -> tuple[str, str]:
    if one.setting == "PRIVATE_KEY_PATH":
        return "whoever reads the key can act as this App everywhere.", "chmod 600 the file."
    return "it may do what nobody wants.", f"look at {one.setting}."


def _from(what: str, field: str, sources: Mapping[str, str]) -> str:
    return f"{what} from {sources.get(field, 'nowhere')}"


def of_the_network(settings: Settings) -> list[Finding]:
    proxied = settings.forwarded_allow_ips is not None
    public = urlsplit(settings.public_address)
    behind = settings.public_url is not None and public.scheme == "https"
    found: list[Finding] = []
    if settings.host in EVERYWHERE and not behind:
        why = "anybody in the network reaches it, and tokens travel unencrypted."
        do = "set HOST to 127.0.0.1 behind a proxy with TLS, and PUBLIC_URL to the proxy's https address."
        found.append(
            warning(
                "network", f"HOST {settings.host} listens on every address, without a PUBLIC_URL with https", why, do
            )
        )
    if behind and not proxied:
        why = "log lines name the proxy as the sender of everything."
        do = "set FORWARDED_ALLOW_IPS to the address from which the proxy connects."
        found.append(warning("network", "a proxy stands in front, and its word about callers is not believed", why, do))
    if (
        settings.forwarded_allow_ips is not None
        and "*" in settings.forwarded_allow_ips
        and settings.host not in LOOPBACK
    ):
        why = "whoever connects directly can pretend to be any address."
        found.append(
            warning("network", "FORWARDED_ALLOW_IPS * believes everybody", why, "name the proxy's address instead.")
        )
    if settings.metrics_token is None and (behind or settings.host not in LOOPBACK):
        found.append(ok("network", "METRICS_TOKEN is not set: /metrics answers this machine only"))
    return found


def of_the_webhook(settings: Settings) -> list[Finding]:
    address = settings.public_address
    parts = urlsplit(address)
    late = f"commands arrive only with the sweep, up to {settings.sweep_interval_seconds:g} s late."
    do = "set PUBLIC_URL to an address GitHub can reach, then run this again."
    if parts.hostname == PLACEHOLDER_HOST:
        return [problem("webhook", f"PUBLIC_URL {address} is the placeholder of the README", late, do)]
    if _is_local(parts.hostname or "") and not _is_local(urlsplit(settings.github_api_url).hostname or ""):
        unset = settings.public_url is None
        what = f"PUBLIC_URL is not set, and GitHub cannot reach {address}"
        return [problem("webhook", what if unset else f"GitHub cannot reach PUBLIC_URL {address}", late, do)]
    if parts.scheme == "http" and settings.public_url is not None and not _is_local(parts.hostname or ""):
        why = "what GitHub tells, and the tokens of agents, travel unencrypted."
        return [warning("webhook", f"PUBLIC_URL {address} is not https", why, "put a proxy with TLS in front.")]
    compare = "compare it on the App's settings page, for this does not ask where it leads"
    return [ok("webhook", f"the App's webhook must lead to {address}{settings.webhook_path}: {compare}")]


def _is_local(host: str) -> bool:
    """Names and addresses that mean something else to GitHub than to us."""
    from ipaddress import ip_address  # noqa: PLC0415 - one use

    try:
        address = ip_address(host)
    except ValueError:
        return host in LOOPBACK or host.endswith((".local", ".internal", ".localhost")) or "." not in host
    return address.is_private or address.is_loopback or address.is_unspecified or address.is_link_local


def of_the_intervals(settings: Settings) -> list[Finding]:
    found = list(_intervals(settings))
    cores = os.cpu_count() or 1
    if settings.workers == 1:
        why = "while one repository waits for GitHub, all others wait too."
        found.append(warning("intervals", "WORKERS is 1", why, "leave it at 4."))
    if settings.workers > MANY_WORKERS:
        why = f"they wait for one writer and {cores} cores; GitHub's limits are reached sooner."
        found.append(warning("intervals", f"WORKERS is {settings.workers}", why, f"{MANY_WORKERS} or less will do."))
    sweep = span(settings.sweep_interval_seconds)
    return found or [ok("intervals", f"{settings.workers} workers, sweep every {sweep}, {_window(settings)}")]


def _window(settings: Settings) -> str:
    """When an operator may say that a merge did not happen, from the moment it is asked for."""
    most = owner_lease(settings.merge_timeout_seconds) + settings.settle_window_seconds
    return f"a merge can be settled as unmerged {span(most)} after it was asked for"


def _intervals(settings: Settings) -> Iterator[Finding]:
    window, timeout = settings.settle_window_seconds, settings.merge_timeout_seconds
    if window < 60:
        why = "a merge that GitHub carries out late may be settled as not done."
        yield warning("intervals", f"SETTLE_WINDOW_SECONDS is {window:g}", why, "60 at least; 900 is the default.")
    if timeout < 10:
        why = "GitHub itself takes up to 10 s, and every answer that is not waited for has to be found out."
        yield warning("intervals", f"MERGE_TIMEOUT_SECONDS is {timeout:g}", why, "10 at least; 30 is the default.")
