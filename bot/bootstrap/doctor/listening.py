"""Whether the address to listen on can be had. It is taken for a moment, and nothing is answered on it."""

from bot.app.doctor.finding import Finding, ok, problem, warning
from bot.bootstrap.neighbour import written_by
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
        if refused.other is not None and refused.other.waits:
            return ok("network", f"a Signalbox listens on {where}, and waits for its database")
        return problem("network", refused.what, "signalbox serve refuses to start.", refused.do)
    if serving and settings.port and (process := written_by(settings)):
        what = f"{where} is free, and process {process} has the database open: whoever it is, it does not listen there"
        do = f"stop process {process} first; or set PORT to the port it serves on, or a DATA_DIR of its own for this one."
        return warning("network", what, "while it runs, signalbox serve refuses to start with these settings.", do)
    return ok("network", f"{where} is free" if serving else f"signalbox serve will listen on {where}")
