"""GitHub as one pure `World` with two faces: the Forge port (`forge`) and HTTP (`asgi`). Runs the demo and the tests.

What lives here: GitHub's rules as reference documents and observations state them, and faults as verbs.
What never does: a rule of Signalbox, randomness, a real clock, or anything imported from `bot` but ports and the model.
"""
