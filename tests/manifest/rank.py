"""What ranking must do."""

from __future__ import annotations

from manifest import Requirement

_S0 = "seed 000, Hybrid search"

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(
        "MERGE-01",
        "conformance 5",
        "The score is the weighted sum of what the words and what the vectors say, weights summing to 1.",
        divergence="the vector's weight is scaled by how far its model is trusted, and a side that knows nothing "
        "gives its weight to the other; with trust 1 and both sides voting the rows of conformance 5 come out",
    ),
    Requirement("MERGE-02", "conformance 5", "With vector weight 0 and no query vector keyword hits are returned."),
    Requirement("MERGE-03", "conformance 5", "Extreme weights flip the order of a keyword hit and a vector hit."),
    Requirement(
        "MERGE-04",
        "conformance 5; core 7",
        "A keyword hit below the configured threshold is kept: the threshold was made for cosines.",
        divergence="kept always, not only in spare slots; a threshold that a caller names holds for every hit",
    ),
    Requirement(
        "MERGE-05", "findings 3", "A question whose words are not in the notes gives no keyword hit the score 1."
    ),
    Requirement("BM25-01", "core 7; defects 1-3", "Keyword scores fall as the match gets worse, at any store size."),
    Requirement("BM25-02", "core 7", "A rare word counts more than a frequent one."),
    Requirement("BM25-03", "findings 1", "A unit gains from words that stand elsewhere in its chunk and in its note."),
    Requirement("BM25-04", "findings 2", "A unit gains from the words of the unit before it, across no note's border."),
    Requirement(
        "BM25-05",
        "conformance 3, rank rows",
        "A score grows with the match and stays within 0 and 1.",
        divergence="there is no rank to convert: scores are BM25 from our own postings, divided by the question's best",
    ),
    Requirement("BM25-06", "core 7", "Question words make no hit; they lift a hit that holds them too."),
    Requirement("DECAY-01", "conformance 6", "The multiplier is exp(-ln2/half-life * age)."),
    Requirement("DECAY-02", "conformance 6", "The future does not decay, and no half-life means no decay."),
    Requirement("MMR-01", "conformance 7", "Words are lower-cased runs of word characters; punctuation is none."),
    Requirement("MMR-02", "conformance 7", "Jaccard: 0.5 for {a,b,c},{b,c,d}; 1 for two empty sets; 0 for one."),
    Requirement("MMR-03", "conformance 7", "The MMR score is lambda * relevance - (1 - lambda) * similarity."),
    Requirement("MMR-04", "conformance 7", "One hit, or lambda 1 and above, keeps the order of scores."),
    Requirement("MMR-05", "conformance 7", "Lambda 0 and below puts what is different before what is alike."),
    Requirement("MMR-06", "conformance 7", "Scores below 0 keep their order."),
    Requirement(
        "MMR-07",
        f"{_S0}, MMR example; conformance 7",
        "In the seed's router example with lambda .7 the near-duplicate comes last.",
        divergence="the printed order of the seed is reached by no reading of its formula; relevance is not stretched "
        "(min-max) here, so that the near-duplicate really drops",
    ),
    Requirement("MMR-08", "defect 7; conformance 7", "Two unrelated texts in Han are not alike."),
    Requirement("MMR-09", "conformance 7", "The order equals the plain definition's, in O(k^2)."),
    Requirement("PACK-01", "core 7; findings 1", "Good units of one region make one hit; far ones make two."),
    Requirement("PACK-02", "core 7", "A snippet is filled with the neighbours of what matched, up to its limit."),
    Requirement("PACK-03", "core 7", "A gap between the shown stretches is marked and their lines are named."),
    Requirement("PACK-04", "core 4, 7", "What is shown is the file's own text, on the lines that are named."),
    Requirement("PACK-05", "core 7", "No unit is shown by two hits."),
)
