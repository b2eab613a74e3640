"""Text made ready to be searched: chunks, units, headings, words. Pure: no clock, disk, environment or network."""
