"""Databases that hold the index: one package or module for each, all behind `recollect.protocols.ChunkStore`."""
