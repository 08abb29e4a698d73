"""What the imperative shell needs from the outside, as Protocols, and how the outside fails.

What never lives here: an implementation. `bot.bootstrap` is the only place where concrete classes meet.
"""
