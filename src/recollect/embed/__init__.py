"""The embed room: text in, vectors out, by a table that travels inside the package or by a provider.

Enters: texts. Leaves: one row of float32 per text, of length 1, or of zeros where the model knows nothing.
Never: touches the store, or loads numpy before something is embedded.
"""
