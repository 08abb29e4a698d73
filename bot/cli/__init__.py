"""The command line, one file per command group. Thin faces over `bot.app`; imports happen inside commands.

What never lives here: wiring (it is handed in as `Operations`), a decision about a record, or SQL.
"""
