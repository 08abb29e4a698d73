"""Files that people write: read as data with places, or not at all."""
