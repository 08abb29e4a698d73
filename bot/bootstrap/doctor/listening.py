"""Whether the address to listen on can be had. It is taken for a moment, and nothing is answered on it."""

from bot.app.doctor.finding import Finding, ok, problem
from bot.bootstrap.serving import NoAddress, listen
from bot.settings import Settings


def of_the_address(settings: Settings, *, serving: bool) -> Finding:
    """`serving`: a server has the database open, so that it is the one who has the address."""
    where = f"{settings.host}, port {settings.port or 'any that is free'}"
    try:
        listen(settings).close()
    except NoAddress as refused:
        if refused.taken and serving:
            return ok("network", f"the server listens on {where}")
        return problem("network", refused.what, "signalbox serve refuses to start.", refused.do)
    return ok("network", f"{where} is free" if serving else f"signalbox serve will listen on {where}")
