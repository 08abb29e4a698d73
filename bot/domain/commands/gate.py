"""`/gate`: an operator opens the human gate for the head of a pull request. Never a GitHub approval."""

from bot.domain.commands.arguments import gate_and_sha, head_words, odd_words, sha_hint
from bot.domain.commands.spec import OF_A_COMMIT, CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import OpenGate
from bot.domain.model.refusals import Refusal


def parse(said: Said) -> OpenGate | Refusal:
    found = gate_and_sha(said.words)
    if found is None:
        return said.refusal(
            "bad_argument",
            f"Only a gate and a commit may follow here, and {odd_words(said)} is not that, so no gate was opened. "
            f"{sha_hint(said.words)}An operator opens it with {said.typed(_words(said.thread))}; "
            "remarks go on a line of their own.",
        )
    return said.signal(OpenGate, gate=found.gate, sha=found.sha)


def _words(thread: Thread) -> str:
    return f"gate {head_words(thread)}".strip()


def offer(thread: Thread) -> Offer | None:
    return Offer(_words(thread)) if thread.is_pull and thread.open_gate else None


GATE = CommandSpec(
    name="gate",
    arguments="[testing or submit] [SHA]",
    where="pull",
    who=("operator",),
    summary="opens the human gate for the head",
    examples=(
        ("pull", "/gate"),
        ("pull", "/gate submit"),
        ("pull", "/gate 1a2b3c4d5e6f"),
        ("pull", "/gate testing 1a2b3c4d5e6f"),
    ),
    parse=parse,
    offer=offer,
    bound=OF_A_COMMIT,
)
