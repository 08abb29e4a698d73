"""Whether the address to listen on can be had. It is taken for a moment, and nothing is answered on it."""

import errno

from bot.app.doctor.finding import Finding, ok, problem
from bot.bootstrap.serving import listen
from bot.cli.operations import Refused
from bot.settings import Settings


def of_the_address(settings: Settings, *, serving: bool) -> Finding:
    """`serving`: a server has the database open, so that it is the one who has the address."""
    where = f"{settings.host}, port {settings.port or 'any that is free'}"
    try:
        listen(settings).close()
    except Refused as refused:
        taken = isinstance(refused.__context__, OSError) and refused.__context__.errno == errno.EADDRINUSE
        if taken and serving:
            return ok("network", f"the server listens on {where}")
        do = "end the other program, or set PORT." if taken else "set HOST to an address of this machine, or PORT."
        return problem("network", str(refused), "signalbox serve refuses to start.", do)
    return ok("network", f"{where} is free" if serving else f"signalbox serve will listen on {where}")
