"""The store on PostgreSQL, for any number of processes: what differs from SQLite, and nothing else.

Tables, statements and the parts of a transaction are those of `bot.store`. Imported only where such a database is named.
What never lives here: statements about records, deliveries or leases.
"""
