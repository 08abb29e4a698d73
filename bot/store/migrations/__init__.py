"""Alembic's environment and revisions. Never imported when serving a database that is up to date."""
