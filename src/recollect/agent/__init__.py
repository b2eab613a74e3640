"""What a model or its host sees of a memory: tools, arguments, budget, scope, fence, prompt and session start.

In come a Memory-like object and what a model sent; out go values and text for a model. Nothing here opens a file, a
database or a socket.
"""
