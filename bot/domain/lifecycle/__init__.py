"""What happens to a record when a signal arrives. `decide` is the way in.

One handler for each signal, each in the file of its topic; every phase change is an edge of the machine document, fired through
a Turn, and checked by the kernel. What never lives here: sentences of projections, or anything that waits.
"""
