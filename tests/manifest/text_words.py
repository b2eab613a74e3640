"""What the analysis of words, questions and snippets must do."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    # --- terms ---
    Requirement("WORDS-01", "core 5", "English words are found in any of their forms."),
    Requirement("WORDS-02", "core 5; conformance 3", "Case, accents and full width do not matter: cafe finds CAFÉ."),
    Requirement("WORDS-03", "conformance 3", "Composed and decomposed characters give the same terms."),
    Requirement(
        "WORDS-04",
        "core 5; conformance 3",
        "Identifiers, versions, dates, paths, addresses are found whole and in parts.",
        divergence="a mixed-case name without joints is one stemmed word and its parts, so that it is found however "
        "its case is typed; a whole beyond 64 characters is told by its first 64",
    ),
    Requirement("WORDS-05", "core 5", "A single letter is found as a word and beside figures: plan B, E-1042."),
    Requirement(
        "WORDS-06",
        "conformance 3",
        "An apostrophe does not hide a word.",
        divergence="a'b is the one word ab, not a and b: don't is one word, cat's is cat, l'ami is ami",
    ),
    Requirement(
        "WORDS-07",
        "core 5; conformance 3; defects 20730, 110500",
        "Han, kana and Hangul are found inside a run: two characters find a longer text.",
        divergence="every character and every pair is a term, where the row has the run as one token",
    ),
    Requirement("WORDS-08", "conformance 3", "A run in which scripts meet is cut where they meet: 2026年."),
    Requirement(
        "WORDS-09",
        "conformance 3; targets",
        "A Thai word stays whole with its vowel signs and is found inside a run, and so are Lao, Khmer, Myanmar.",
        divergence="pairs and triples of characters with their signs, where the row has broken pieces",
    ),
    Requirement("WORDS-10", "targets", "Vowel signs of Indic scripts belong to the word."),
    Requirement("WORDS-11", "core 5", "Words of Russian, Greek, Arabic and Hindi are found in other forms."),
    Requirement("WORDS-12", "core 5", "Terms are never empty, hold no white space, are bounded and always the same."),
    Requirement("WORDS-13", "hardening; bad inputs", "Hostile text of a megabyte without a space takes linear time."),
    Requirement("WORDS-14", "core 5", "What was analysed before is looked up, and what is kept is bounded."),
    Requirement("WORDS-15", "core 5", "Emoji and check marks are terms; punctuation, joiners and selectors are none."),
    # --- questions ---
    Requirement(
        "QUERY-01",
        "conformance 3",
        "The words of a question are looked for.",
        divergence="joined by OR with rare words counting most, not by AND, which finds nothing for nine questions "
        "in ten; terms are stemmed and folded; a file name is looked for whole, its parts at half weight",
    ),
    Requirement("QUERY-02", "conformance 3; SE-001 to SE-029", "Any syntax is plain text."),
    Requirement("QUERY-03", "conformance 3; SE-022, SE-023, SE-026", "Nothing to look for gives no terms and no text."),
    Requirement("QUERY-04", "SE-025", "A question of any size is cut, and says so."),
    Requirement("QUERY-05", "core 7", "Empty words are left out unless a question has no others."),
    Requirement("QUERY-06", "findings 1", "Empty words are kept aside as support, the speaker's own at full weight."),
    Requirement("QUERY-07", "findings 2", "Single characters beside pairs, and parts beside wholes, count less."),
    Requirement(
        "QUERY-08", "core 7", "What is double-quoted is known as a phrase and stands in the terms of its text."
    ),
    Requirement("QUERY-09", "core 5", "A question taken from a text has no term that the text has not."),
    Requirement("QUERY-10", "core 7", "A word that is empty in one language is full in another: war, son, US, IT."),
    # --- keywords ---
    Requirement(
        "KEYWORD-01",
        "conformance 4",
        "Keywords are the full words of a question, each once, in order.",
        divergence="an identifier stands whole before its parts: E-1042 would be lost else",
    ),
    Requirement("KEYWORD-02", "conformance 4", "Chinese keywords are characters and pairs that are no empty words."),
    Requirement("KEYWORD-03", "conformance 4", "Korean keywords are words with and without their particle."),
    Requirement("KEYWORD-04", "conformance 4", "Japanese keywords are runs of one script, Han runs in pairs too."),
    Requirement("KEYWORD-05", "conformance 4; behaviour 1.9", "Empty words are known in twelve languages."),
    # --- snippets ---
    Requirement("CLIP-01", "defect 17; core 4", "A text is cut after a sentence or a word, within its limit."),
    Requirement("CLIP-02", "defect 5", "A text is never cut inside a character: marks, joined emoji, pairs."),
    Requirement("MARK-01", "core 8", "The words of a question are marked in whatever form they stand."),
    Requirement("MARK-02", "core 8", "Marked ranges are in order, inside the text, and do not touch."),
)
