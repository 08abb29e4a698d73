"""One reader per question of `bot.domain.model.facts`: it asks GitHub and answers in the domain's words.

What never lives here: a decision, a guess for something GitHub did not say, or a write.
"""
