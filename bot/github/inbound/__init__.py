"""From a raw delivery to signals: signature, routing, and one translator per event and action.

Pure and total: whatever an authentic body holds, translating it answers signals or a reason, and never raises.
What never lives here: a decision about a signal, or a question to GitHub.
"""
