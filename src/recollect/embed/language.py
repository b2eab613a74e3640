"""Whether a text is one that an English table understands: evidence for and against, word by word.

Enters: words (lower case, without accents) with the pieces that the vocabulary cuts them into, and the text for its
accents. Leaves: small integers; a text whose sum is not positive gets no vector.
Never: guesses which other language it is.

What speaks against: words that the vocabulary must break up, and the little words that other languages in Latin letters
cannot do without. What speaks for: words that stand in the vocabulary whole, and the little words of English. Words
that English shares with its neighbours ("die", "was", "in") say nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_ENGLISH = """
the of and to is that it for with his by at from her she you had were but be this are not my they which have him first
all their has who out been when after there into its time would what about said we over then your could how if will
more these than only some did do does where why should before because through again too very while can our them other
any just even most now here as us each both between under until during against without within whose whom those being
having doing am i off up down every much many such own same use used using get got let need make see
"""
_FOREIGN = """
der und das dem des ein eine einen einem einer eines ist sind nicht von auf zu zum zur sich auch wird wurde wurden
werden haben hatte hatten ich sie wir ihr ihre aber oder als wie nach bei beim aus uber nur noch kann konnte muss fur
mehr sehr wann wer wen wem wo welche welcher welches welchem welchen viele mich dich uns im durch ohne gegen unter
zwischen keine keinen kein mein meine dein ja nein liegt gibt wenn weil dass daß jetzt schon immer wieder jahr jahre uhr
le la les de du une dans avec pas ne aux ce cette ces il elle nous vous ils sont ete mais ou leur leurs je se mon ma mes
en et est un que qui au sur ete etait chez quand comment pourquoi tres bien tout tous fait deja ans sa ses tu
el los las una unos unas y del al para por su sus lo como pero fue ser esta este estos muy ya tambien cuando donde
sobre entre desde hasta es mi tu que hace anos porque nos sin hay
o um uma da do dos nas na no e nao ao foi sao seu sua ele ela isso ate ha anos minha meu nos onde quando
gli uno di della dei delle del che non nel nella anche piu questo questa alla degli e ha ho mia mio stato dove quando
da su si sono
het een van dat niet zijn voor aan ook maar naar wordt werd hij zij te op mijn wij hebben heeft waar wanneer uit bij
och att det som med ikke ett jag har inte ble ved og av en ar vi oss fore pa til till var hva nar min i tre
nie jest sie w z na do od jak gdzie kiedy bu icin bir ve ile nerede yang itu dan di dengan untuk tidak mana kami ei egy
az es nem ja on missa si este cu pe
"""
_PARTICLES = "de la du le les el los las del van der von di da dos y e o"  # in the names of people and places
_SHARED = "in an so no do on a or me am as was man war die den mit bin hat also pour till min var most dos per con"
_SHORT = """
of in to he is as on it by at an be my or me up no we so if do us go am ok hi oh ah vs id ip pc os tv uk dr mr ms cd ad
pm km kg cm mm gb mb kb ui db qa hr
"""
_ENDINGS = """
s ed d ly er es ing ers y al ness less ment able ful est ist ism ity ies ion ions tion tions ation ble ous ish ize ise
ized ised izing izer izes ability ally ward ship hood like wise man men t ting ted ter ling led ler ning ned ner ping
ped per ding ded der ging ged ger ming med mer ring red cing ced ving ved ver zing zed ably ibly ical ically ics ic ial
ary ory ate ated ates ating ator ators ent ents ant ants ence ance ency ancy ure ures age ages ds ts rs
set up off out in on down over under path name file log
"""
_COMMON = 8  # a little word of English
_STRANGE = -10  # a little word of another language
_MOST = 8  # a long word is no better evidence than this
_FORMED = 3  # a word of the vocabulary with an English ending
_PARTICLE = -5  # one that English text meets in names
_BROKEN = -2  # for every further piece of a word that had to be broken up ...
_WORST = -4  # ... but one name must not silence a sentence
_ACCENT = -2  # for every letter with an accent: English has them in names and a few loans
_TWO = 2
_ACCENTED = re.compile("[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]")


class Language:
    """Evidence of words, with its lists made once."""

    def __init__(self, pieces: Sequence[str], unknown: int) -> None:
        self._unknown = unknown
        shared = frozenset(_SHARED.split())
        common = frozenset(_ENGLISH.split()) - shared
        listed = dict.fromkeys(_FOREIGN.split(), _STRANGE) | dict.fromkeys(_PARTICLES.split(), _PARTICLE)
        self._listed = listed | dict.fromkeys(shared, 0) | dict.fromkeys(common, _COMMON)
        self._short = frozenset(_SHORT.split())
        endings = frozenset("##" + ending for ending in _ENDINGS.split())
        self._endings = frozenset(number for number, piece in enumerate(pieces) if piece in endings)

    def evidence(self, word: str, ids: Sequence[int]) -> int:
        """For (positive) or against (negative) that the text of this word is understood; zero says nothing."""
        listed = self._listed.get(word)
        if listed is not None:
            return listed
        is_ascii = word.isascii()
        letters = len(word) if word.isalpha() else sum(map(str.isalpha, word))
        if len(word) == _TWO and letters == _TWO and is_ascii:
            return _TWO if word in self._short else -1
        if letters == 0 or (len(word) == 1 and is_ascii):
            return 0
        if not is_ascii or ids[0] == self._unknown:
            return _WORST
        if len(ids) > 1:
            return self._broken(ids)
        return 0 if letters < len(word) else min(letters, _MOST)  # "3rd", "x86": as good as a number

    @staticmethod
    def accents(text: str) -> int:
        """The evidence of accents, which words have lost by the time they are looked at."""
        return 0 if text.isascii() else _ACCENT * len(_ACCENTED.findall(text))

    def _broken(self, ids: Sequence[int]) -> int:
        if self._endings.issuperset(ids[1:]):
            return _FORMED
        return max(_WORST, _BROKEN * (len(ids) - 1))
