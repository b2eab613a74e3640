"""The doors of a memory: the Model Context Protocol, over standard input and output or over HTTP.

A client's messages enter, answers of the agent's tools and the notes as resources leave. The protocol's SDK is imported
in this room alone. It writes no note, opens nothing outside the memory, and puts nothing on standard output that is not
a message of the protocol.
"""
