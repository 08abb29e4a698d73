"""The webhook, health, the API, tokens, settings, logs and their wiring, over ASGI and over real sockets."""
