"""A small dictionary in memory, for the tests: a few hundred words, some of them families, some forms of others."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from domain.game import Ruling

_FAMILIES = (
    "south southern southerner",
    "nation national nationality",
    "act actor action active",
    "create creation creature",
    "east eastern",
    "long length",
    "sail sailor",
    "teach teacher",
)
_FORMS = {
    "mice": ("plural", "mouse"),
    "satellites": ("plural", "satellite"),
    "runs": ("plural_or_verb_form", "run"),
    "ran": ("verb_form", "run"),
    "running": ("verb_form", "run"),
    "larger": ("comparative", "large"),
    "paris": ("proper_noun", ""),
    "spain": ("proper_noun", ""),
    "ss": ("abbreviation", ""),
}
_TEXT = """
able about above account across act action active actor address advance after again against age agree air alarm album
alter always amount anchor angel animal answer apple april area argue arm army arrange arrive art article artist aside
ask attention autumn average avoid
baby back bacon balance ball band bank bar base basket battle beach bear beautiful become bed before begin believe
below benefit best better between bicycle bird birth black blanket blood blue board boat body book border bottle
bottom box branch brave bread bridge bright bring brother brown brush bubble build burn business butter button
cabin cable calm camera candle capital captain carbon card care carpet carry castle catch cause celebrate centre
century certain chain chair challenge chance change chapter character charge check cheese chicken child choice choose
church circle city claim clean clear clever climate climb clock close cloth cloud coast coat coffee cold collect
colour comfort common company compare complete computer concert condition connect consider construction contain
continent control conversation cook copper copy corner correct cost cotton country courage cover create creation
creature cross crowd culture current curtain custom
damage dance danger dark daughter day deal debate decide deep defend degree deliver demand depend describe desert
design desire detail develop dictionary difference difficult dinner direct direction discover discuss disease distance
district divide doctor dollar door doubt dragon dream dress drink drive dust
eager ear early earth east eastern easy eat edge education effect effort eight either electric element else empty end
enemy energy engine enjoy enough enter entire equal error escape especially evening event every evidence exact example
except excite exercise expect expensive experience explain express extra eye
face fact factory fail fair faith family famous far farm fashion father favour fear feather feel fence festival field
fight figure final finger finish fire first fish flag flat floor flower fold follow food foot force foreign forest
forget fork form forward freedom fresh friend front fruit full funny future
gain game garden gas gate general gentle get giant gift girl give glass glove goal gold good government grammar grand
grass great green ground group grow guard guess guide guitar
habit hair half hall hammer hand happen happy harbour hard hat head health hear heart heat heavy height hello help
hero high history hobby hold hole holiday home honest hope horse hospital hotel hour house huge human hundred hunger
husband
ice idea identity ill image imagine impact important improve inch include income increase indeed industry influence
inform ink inner insect inside instead instruction instrument insurance interest international into introduction
invent island item
jacket jail jam january jar jaw jazz jealous jewel job join joke journey joy judge juice jump junction june jungle
jury just
keen keep kettle key kick kid kill kind king kitchen kite knee knife knight knock know knowledge
label labour lack ladder lady lake lamp land language large last late laugh law lawyer lazy lead leaf learn least
leather leave lecture left leg lemon length lesson letter level library lie life lift light like limit line lion
liquid list listen literature little live local location lock logical long look lord lose loud love luck lunch
machine magazine magic main major make man manage manner many map march mark market marriage master match material
matter maximization maximum may meal mean measure meat medicine meet melt meltdown member memory mention merchant
message metal method middle might mile milk mind mine minister minute mirror mixer mixture model modern moment money
month moon morning mother motion mountain mouse mouth move much mud muscle museum music must mystery
name narrow nation national nationality nature near necessary neck need needle neighbour neither nerve nest net never
new news next nice night noise none normal north nose note nothing notice now number nurse
oak object observe obtain occasion ocean offer office often oil old omit once one onion only open operate opinion
orange order ordinary organ original other outer outside oven over owe own owner oxygen oyster
pack page pain paint pair palace pale paper parent park part particular partner party pass past path patient pattern
pay peace pen pencil people pepper perfect perhaps period permanent person phone photograph picture piece pig pilot
pipe place plan planet plant plastic plate play pleasure plenty pocket poem point police polish polite political poor
popular position possible post pot potato pound power practical pray prepare present president press pretty prevent
price print prison private prize problem process produce profit programme promise proper protect proud prove public
pull punish pure purple purpose push put
quality quantity quarrel quarter queen question quick quiet quit quite quiz quotation quote
rabbit race radio rail rain raise range rapid rare rate rather reach reaction read ready real reason receive recent
record red reduce refer reflect regular relation religion remain remember remind repeat reply report represent request
rescue rest restaurant result return reveal rice rich ride right ring rise river road rock roof room rope rose rough
round route row royal rule run rural
sad safe sail sailor salt same sand satellite satisfaction satisfactory sauce save say scale school science scissors
sea season seat second secret section see seed seem sell send sense separate serious servant service set seven several
shade shadow shake shape share sharp sheep sheet shelf ship shirt shock shoe shop short shoulder shout show side sight
sign signal silence silver similar simple since sing sister sit site situation six size skin skirt sky sleep slow
small smell smile smoke smooth snake snow soap social society soft soil soldier solid solution some son song soon sort
sound soup south southern southerner space speak special speech speed spell spend spirit spoon sport spot spring
square staff stage stair stamp stand standard star start state statement station stay steam steel step stick still
stomach stone stop store storm story strange stream street strength stretch strong structure student study style
subject substance success such sudden sugar suggest suit summer sun supply support sure surface surprise sweet swim
switch symbol system
table tail take talk tall tape target taste tax tea teach teacher team tear technical telephone tell ten tent term
terrible test than thank theatre theory there thick thin thing think third thirst this thought thousand thread threat
three throat through throw thumb thunder ticket tide tie tiger tight time tin tiny tip tired title toast today toe
together tomorrow ton tongue tonight tool tooth top total touch tough tour toward tower town toy trade tradition
traffic train translate travel tree triangle trip trouble true trust truth try tube tune turn twelve twenty twice two
type
ugly uncle under understand uniform union unit unite unity universe university unless until upon upper upset urban
urge use usual utility
vacation vain valley value van variety various vast vegetable vehicle vein verb very vessel victory view village
violent violin visit visitor vital voice volume vote vowel voyage
wage waist wait wake walk wall want war warm warn wash waste watch water wave way weak wealth weapon wear weather
wedding week weigh welcome well west wet what wheat wheel when where which while whisper white whole wide width wife
wild will win wind window wine wing winter wire wise wish with wolf woman wonder wood wool word work world worry worth
wound write wrong
xenon xerox xylophone
yacht yard year yeast yellow yesterday yet yield yoga young youth
zeal zebra zero zinc zip zone zoo zoology
"""
WORDS = tuple(_TEXT.split())


class Few:
    """The dictionary (`domain.game.Lexicon`)."""

    name = "en-1"

    def __init__(self) -> None:
        self._families: dict[str, tuple[int, ...]] = {}
        for number, family in enumerate(_FAMILIES):
            for word in family.split():
                self._families[word] = (number,)
        self._words = {*WORDS, *self._families}

    def rule(self, word: str) -> Ruling:
        """The verdict on a word; of a form the families are those of the word that it is a form of."""
        if word in self._words:
            return Ruling(word, True, families=self._of(word))
        reason, of = _FORMS.get(word, ("not_in_dictionary", ""))
        if len(word) < 2:
            reason = "too_short"
        return Ruling(word, False, reason, of, self._of(of) if of else ())

    def common(self, initial: str) -> Sequence[str]:
        """Its words that begin with the letter."""
        return [word for word in WORDS if word.startswith(initial)]

    def _of(self, word: str) -> tuple[int, ...]:
        return (*self._families.get(word, ()), 1000 + zlib.crc32(word.encode()) % 10**6)


FEW = Few()
