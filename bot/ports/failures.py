"""How GitHub fails, in five kinds. Adapters raise these; nothing else may escape a port for an outside failure.

ForgeFailure
├── Unreachable      no usable answer to a read, or a write that provably was not carried out; safe to repeat
├── RateLimited      refused until `until`; not carried out
├── Forbidden        403 or 422: GitHub understood and refuses; repeating it changes nothing
├── Gone             404, 410, or the repository now has another id
└── OutcomeUnknown   a write that may or may not have been carried out
"""

from datetime import datetime


class ForgeFailure(Exception):
    """Base. `detail` is for operators: method, path and status, never a token, query or body."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail

    def for_user(self) -> str:
        """One sentence for people on GitHub."""
        return "GitHub did not answer."

    def for_operator(self) -> str:
        """What happened, for logs and doctor."""
        return f"{type(self).__name__}: {self.detail}"


class Unreachable(ForgeFailure):
    pass


class RateLimited(ForgeFailure):
    """`named`: GitHub itself names the time; else it is a guess, which is too short where it comes again."""

    def __init__(self, detail: str, until: datetime, *, named: bool = True) -> None:
        super().__init__(detail)
        self.until = until
        self.named = named

    def for_user(self) -> str:
        return "GitHub asks for a pause before the next request."


class Forbidden(ForgeFailure):
    def for_user(self) -> str:
        return "GitHub refused it."


class Gone(ForgeFailure):
    def for_user(self) -> str:
        return "GitHub no longer has it, or hides it from this App."


class OutcomeUnknown(ForgeFailure):
    def for_user(self) -> str:
        return "It is not known whether GitHub did it."
