"""The one engine every state machine runs on: documents, their compilation, and firing an event.

What never lives here: a particular machine, or any word of the lifecycle.
"""
