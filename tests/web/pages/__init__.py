"""The pages, over ASGI and in a real browser, in a world in which everything that they show has happened."""
