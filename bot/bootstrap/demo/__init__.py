"""`signalbox demo`: the real bot and a simulated GitHub, talking HTTP over loopback, and a story played to them.

What never lives here: anything the real bot runs on. The demo only starts it, acts as people, and prints what they see.
"""
