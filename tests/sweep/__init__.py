"""The sweep, on the simulated GitHub."""
