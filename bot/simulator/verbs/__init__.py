"""What people and machines do on GitHub, one file per resource; `bot.simulator.world.World` is all of them together.

Every verb takes who acts first, obeys GitHub's rules (`HttpError` is GitHub saying no) and emits the webhooks.
"""
