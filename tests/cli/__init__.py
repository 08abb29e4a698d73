"""The command line, as functions and as a real process."""
