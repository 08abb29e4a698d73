"""GitHub as it really is: authentication, requests, the merge, and the translation of webhooks into signals.

The only package that imports githubkit. What never lives here: decisions, stored state, and retries of writes.
"""
