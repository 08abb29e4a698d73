"""The durable store: tables, the parts of a transaction over them, and the strategies that run transactions.

Statements are SQLAlchemy Core, compiled once and run on the driver's connection, so that every database shares them.
What never lives here: decisions about records, calls to GitHub, an ORM session.
"""
