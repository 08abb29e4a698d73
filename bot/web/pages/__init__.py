"""Pages for people: HTML from templates, complete without a script. Thin faces over `bot.app`.

What never lives here: a decision about a record, a sentence that comments or check runs say too, or inline styles.
"""
