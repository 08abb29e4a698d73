"""The policy file: from what somebody wrote to the rules that are in force, and what is found on the way.

What lives here: presets, reading, surprising combinations, what is laxer than what, which version stays in force, who could
fill each seat. What never lives here: YAML and files (`bot.documents`), and what the rules lead to (`lifecycle`, `merging`).
"""
