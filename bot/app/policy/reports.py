"""Says what became of a policy file: where it was changed, and on pull requests that would change it; and on pull requests
without a record what the policy wants said there.
"""

from dataclasses import asdict
from datetime import timedelta
from functools import partial

from bot.app.outside import LeaseLost, Outside
from bot.app.policy.book import Policies
from bot.app.policy.places import Places, Run, digest_of
from bot.app.policy.ungoverned import Ungoverned
from bot.domain.model.effects import (
    POLICY_CHECK,
    CreateCheckRun,
    CreateComment,
    UpdateCheckRun,
    UpdateComment,
)
from bot.domain.model.ids import Repo
from bot.domain.model.policy_file import ABSENT, ProposedFileIn
from bot.domain.model.questions import CommentOf, CommentsOn, PullOf
from bot.domain.policy.force import InForce
from bot.domain.projections.policy_report import (
    COMMENT,
    PolicyCheck,
    PolicyLook,
    policy_check,
    policy_comment,
    unchanged_comment,
)
from bot.ports.failures import Forbidden, ForgeFailure, Gone, RateLimited, Unreachable
from bot.ports.forge import LANDING
from bot.ports.policies import PolicyVersion, Report, on_pull
from bot.ports.store import Tx

#: A comment that was on its way when its sender died may still appear.
AFTERMATH = timedelta(seconds=LANDING)
AGAIN = timedelta(seconds=30)
#: What GitHub refused it will mostly refuse again.
AFTER_REFUSAL = timedelta(hours=1)
#: Versions among which the one of a commit is looked for.
MOST_VERSIONS = 50


class Reports:
    def __init__(self, outside: Outside, policies: Policies, web_url: str) -> None:
        self._store = outside.store
        self._forge = outside.forge
        self._log = outside.log
        self._policies = policies
        self._web = web_url
        self._places = Places(outside)
        self._ungoverned = Ungoverned(outside, web_url)
        #: One publisher at a time: a place that is being worked on is not due.
        self._lease = timedelta(seconds=outside.timing.write_lease)

    async def publish(self, repo: Repo, report: Report) -> None:
        """Say what is to be said in this place."""
        claimed = await self._store.run(lambda tx: _claim(tx, repo, report, self._lease))
        if claimed is None:
            return
        try:
            if claimed.pull is None:
                await self._of_the_branch(repo, claimed)
            else:
                await self._of_a_pull(repo, claimed.pull)
        except ForgeFailure as failure:
            await self._rest(repo, claimed, failure)
            return
        except LeaseLost:
            self._log("warning", "policy_report_lost", repository=repo.full_name)
            return
        await self._store.run(lambda tx: _done(tx, repo, claimed))

    async def _of_the_branch(self, repo: Repo, report: Report) -> None:
        versions = await self._store.read(lambda tx: tx.policies.versions(repo.id, MOST_VERSIONS))
        version = next((one for one in versions if one.commit == report.place), None)
        if version is not None:
            await self._check(repo, report.place, None, policy_check(_look_of(version)))

    async def _of_a_pull(self, repo: Repo, number: int) -> None:
        """A pull request that is closed keeps what was said of it."""
        pull = (await self._forge.read(repo, PullOf(number))).value
        if pull is None or not pull.open:
            return
        policy = await self._policies.of(repo)
        await self._ungoverned.show(repo, pull, policy)
        proposed = (await self._forge.read(repo, ProposedFileIn(number, pull.head_sha))).value
        place = on_pull(number)
        known = await self._store.read(lambda tx: tx.policies.report(repo.id, place))
        if proposed is None:
            if known is not None and known.remote_id is not None:
                await self._comment(repo, number, unchanged_comment(policy))
            return
        judged = self._policies.judged(proposed, policy, pull.head_sha)
        look = PolicyLook(judged, policy, pull.head_sha, absent=proposed.blob == ABSENT, proposed=True)
        await self._check(repo, pull.head_sha, number, policy_check(look))
        if judged.findings or (known is not None and (known.remote_id is not None or known.sent_at is not None)):
            await self._comment(repo, number, policy_comment(look))

    async def _check(self, repo: Repo, head: str, pull: int | None, wanted: PolicyCheck) -> None:
        report = await self._places.at(repo, head, pull)
        url = f"{self._web}/{repo.full_name}/commit/{head}"
        run = Run(POLICY_CHECK, head, asdict(wanted), partial(_run, head, wanted, url))
        await self._places.shows(repo, report, run)

    async def _comment(self, repo: Repo, number: int, body: str) -> None:
        digest = digest_of(body)
        report = await self._places.at(repo, on_pull(number), number)
        if report.sent_at is not None and report.remote_id is None:
            comments = (await self._forge.read(repo, CommentsOn(number))).value
            mine = [one.id for one in comments if one.mine and COMMENT in one.body]
            report = report.model_copy(update={"remote_id": mine[0] if mine else None})
        if report.digest == digest and report.sent_at is None:
            return
        report = await self._places.sending(repo, report)
        write = (
            CreateComment(number=number, body=body, marker=COMMENT)
            if report.remote_id is None
            else UpdateComment(comment_id=report.remote_id, body=body)
        )
        try:
            written = await self._forge.perform(repo, write, self._places.guard(repo, report))
        except Gone as missing:
            if report.remote_id is None:
                raise
            if (await self._forge.read(repo, CommentOf(report.remote_id))).value is not None:
                raise Unreachable(f"{missing.detail}, and the comment is there") from missing
            # Somebody deleted it; it is not written a second time unasked.
            await self._places.keep(repo, report.model_copy(update={"sent_at": None, "digest": digest}))
            return
        remote = report.remote_id if written.id is None else written.id
        await self._places.keep(
            repo, report.model_copy(update={"sent_at": None, "digest": digest, "remote_id": remote})
        )

    async def _rest(self, repo: Repo, report: Report, failure: ForgeFailure) -> None:
        self._log("warning", "policy_report_paused", repository=repo.full_name, why=failure.for_operator())
        until = failure.until if isinstance(failure, RateLimited) else None
        pause = AFTER_REFUSAL if isinstance(failure, Forbidden) else AGAIN

        def store(tx: Tx) -> None:
            now = tx.policies.report(repo.id, report.place) or report
            tx.policies.put_report(repo.id, now, max(tx.now() + pause, until or tx.now()))

        await self._store.run(store)


def _claim(tx: Tx, repo: Repo, report: Report, lease: timedelta) -> Report | None:
    """The place as it is now; nobody else takes it meanwhile. None: it is not to be worked on just now."""
    found = tx.policies.next_report()
    if found is None or (found[0].id, found[1]) != (repo.id, report):
        return None
    lands = report.sent_at + AFTERMATH if report.sent_at is not None else tx.now()
    tx.policies.put_report(repo.id, report, tx.now() + lease if lands <= tx.now() else lands)
    return report if lands <= tx.now() else None


def _done(tx: Tx, repo: Repo, claimed: Report) -> None:
    now = tx.policies.report(repo.id, claimed.place) or claimed
    if (
        now.sent_at == claimed.sent_at
    ):  # nobody needs this place any more: the head moved, or the pull request is closed
        now = now.model_copy(update={"sent_at": None})
    if now.sent_at is None:
        tx.policies.put_report(repo.id, now, tx.now() if now.asked != claimed.asked else None)


def _look_of(version: PolicyVersion) -> PolicyLook:
    judged = InForce(version.policy, version.findings, version.accepted)
    return PolicyLook(judged, version.policy, version.commit or "", absent=version.blob == ABSENT)


def _run(head: str, wanted: PolicyCheck, url: str, known: int | None) -> CreateCheckRun | UpdateCheckRun:
    fields = {"title": wanted.title, "summary": wanted.summary, "text": wanted.text, "details_url": url}
    shared = {**fields, "status": "completed", "conclusion": wanted.conclusion, "external_id": f"policy:{head}"}
    if known is not None:
        return UpdateCheckRun.model_validate({"id": known, **shared})
    run = {"name": POLICY_CHECK, "head": head, "annotations": wanted.annotations, **shared}
    return CreateCheckRun.model_validate(run)
