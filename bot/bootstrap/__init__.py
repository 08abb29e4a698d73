"""The only place where concrete classes meet: clock, identifiers, logs, store, web and workers become one `Bot`.

What never lives here: a rule, a route, or a statement. Only construction, order of start and stop, and nothing else.
"""
