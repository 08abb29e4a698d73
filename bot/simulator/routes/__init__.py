"""The endpoints of the HTTP face, one file per resource. Each reads the request, asks the world, and renders."""
