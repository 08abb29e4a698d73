"""The built-in machines: documents for what a team may change, typed tables for what it may not.

What never lives here: the engine, or the code of guards and actions.
"""
