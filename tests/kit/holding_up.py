"""A process that is held up at a moment that matters."""

from tests.kit.town import Town


def after_storing_the_request(town: Town, seconds: float) -> None:
    """So much time goes by between the storing of the next request to merge and its sending."""
    count = "SELECT count(*) FROM attempts"
    before = town.store._connection.execute(count).fetchone()

    def held_up() -> None:
        if town.store._connection.execute(count).fetchone() != before:
            town.store.after_commit = None
            town.world.clock.advance(seconds)

    town.store.after_commit = held_up
