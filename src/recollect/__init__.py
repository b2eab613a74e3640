"""Memory for AI agents in plain Markdown."""
