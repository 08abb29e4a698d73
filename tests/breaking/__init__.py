"""Scenarios that break the product, each a minimal reproduction."""
