"""The HTTP server: REST, OpenAPI, authentication, limits."""
