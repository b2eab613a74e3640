"""Pure numbers: from postings and cosines to ranked, packed hits. Nothing here reads, writes or asks the time."""
