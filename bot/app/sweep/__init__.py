"""The sweep (LIFECYCLE.md 5): reads what no delivery told, and brings it the same way as a delivery.

What never lives here: a rule about what a fact means. The sweep asks GitHub, makes signals, and hands them on.
"""
