"""The questions of `bot.domain.model.facts`, answered from the world, one file per family of facts."""
