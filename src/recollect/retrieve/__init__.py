"""The read path: from a question to an honest, cited answer. Reads through what it is handed; never writes."""
