"""Turns labels of pages, in any script, into parts of names, and knows which labels say nothing specific."""

import re
import unicodedata

from anyascii import anyascii

from tabwright.browser.snapshot.nodes import words as set_of

MAX_NAME_LENGTH = 48
MAX_KEY_LENGTH = 30
# Words of a label that go into a name. A longer text than _MAX_LABEL_WORDS is a sentence, perhaps an
# instruction meant for the agent, and gives no name.
_MAX_WORDS = 5
_MAX_LABEL_WORDS = 9

_REQUIRED_NOTE = re.compile(
    r"\((?:[^()]*\b)?(?:optional|required|facultatif|obligatoire|freiwillig|pflichtfeld|opcional)\b[^()]*\)",
    re.IGNORECASE,
)
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
# Amounts of money, dates, times of day, numbers of four digits and more.
_CHANGING = re.compile(
    r"[$€£¥₹]\s*\d[\d.,]*|\b\d[\d.,]*\s*(?:[$€£¥₹%]|usd\b|eur\b)"
    rf"|\b(?:{_MONTHS})\.? \d{{1,2}}(?:,? \d{{4}})?\b|\b\d{{1,2}} (?:{_MONTHS})\.?(?: \d{{4}})?\b"
    r"|\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|\b\d{1,2}:\d{2}\b|\b\d{4,}\b",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(
    r"^\W*(?:please\s+)?(?:enter|type(?: in)?|input|select(?! all)|choose|provide|specify|fill in|insert)\s+"
    r"(?:(?:your|the|an?)\s+)?",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"[\s(,;:.-]*\b(?:e\.?\s?g\.?|for example|for instance|z\.\s?b\.|please|bitte)(?=\W|$).*$",
    re.IGNORECASE | re.DOTALL,
)
_APOSTROPHES = re.compile("['`\u2019\u02bc\u00b4]")
_WORD_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

# Captions that say that something is submitted, but not what.
GENERIC = set_of("""
    submit go ok okay send search continue next save apply add create update find filter confirm done finish
    proceed enter change post start request look_up
    suchen suche weiter senden absenden speichern anwenden hinzufugen ubernehmen finden fertig bestatigen
    rechercher envoyer valider continuer enregistrer appliquer ajouter suivant chercher confirmer
    buscar enviar guardar continuar aplicar siguiente anadir confirmar
    cerca invia salva continua avanti applica zoeken verzenden opslaan volgende
    pesquisar salvar avancar poisk nayti otpravit sokhranit prodolzhit dalee primenit iskat
""")
_GENERIC_OTHER_SCRIPTS = set_of("""
    検索 送信 送信する 保存 保存する 次へ 適用 追加 登録 إرسال بحث حفظ التالي متابعة
    搜索 提交 下一步 搜尋 검색 전송 저장 다음
""")
_SEARCH = set_of("""
    search filter look_up lookup suche suchen rechercher recherche chercher buscar busqueda busca
    pesquisar pesquisa cerca ricerca zoeken zoek poisk nayti iskat szukaj sok etsi ara hledat
    cautare kereses tim_kiem
""")
_SEARCH_OTHER_SCRIPTS = (
    "検索",
    "搜索",
    "搜尋",
    "검색",
    "بحث",
    "ابحث",
    "поиск",
    "найти",
    "искать",
    "חיפוש",
    "ค้นหา",
)
# Words after "search" that do not say what is searched.
_UNSPECIFIC = set_of("""
    for the a an and or jump our all any in on by of to this site website web page here anything everything
    something terms term keyword keywords query text you me now nach auf der die das im in alles
    seite bar box button icon un une des le la les du de
    sur dans ici site en el los las por sitio po saytu sayt
""")


def slug(text: str, max_length: int = MAX_NAME_LENGTH, *, identifier: bool = False) -> str:
    """Convert a text to lower-case ASCII words joined by underscores, cut at a word; "" if nothing is left.

    An identifier of the page (`firstName`) is split at its capitals.
    """
    plain = _REQUIRED_NOTE.sub(" ", _APOSTROPHES.sub("", text))
    plain = "".join(map(_strip_accents, unicodedata.normalize("NFKC", plain)))
    words = re.findall(r"[^\W_]+", plain)
    split = [_to_ascii(word, identifier=identifier) for word in words]
    return _join([piece for word in split for piece in re.findall(r"[a-z0-9]+", word.lower())], max_length)


def site_name(name: str) -> str:
    """Convert the name of a tool that a site or an extension declares to our spelling."""
    plain = slug(name, identifier=True)
    return plain if plain[:1].isalpha() else f"site_{plain}".rstrip("_")


def _strip_accents(char: str) -> str:
    """Return a Latin letter without its accents; in other scripts they carry meaning."""
    first = unicodedata.normalize("NFKD", char)[0]
    return first if first.isascii() and first.isalpha() else char


def _to_ascii(word: str, *, identifier: bool) -> str:
    if word.isascii():
        return _WORD_BOUNDARY.sub(" ", word) if identifier else word
    # In a script without capitals, those in the middle come from anyascii and mark syllables.
    has_capitals = word.lower() != word.upper()
    return anyascii(word) if has_capitals else _WORD_BOUNDARY.sub(" ", anyascii(word))


def _join(words: list[str], max_length: int) -> str:
    joined = ""
    for word in words:
        longer = f"{joined}_{word}" if joined else word
        if len(longer) > max_length:
            break
        joined = longer
    return joined or (words[0][:max_length] if words else "")


def first_words(text: str) -> str:
    """Return the first words of a label; "" for a sentence."""
    return "" if is_sentence(text) else " ".join(stable_part(text).split()[:_MAX_WORDS])


def stable_part(text: str) -> str:
    """Return a label without amounts, dates and long numbers, which may differ at the next load."""
    rest = _CHANGING.sub(" ", text)
    return " ".join(rest.split()) if re.search(r"[^\W\d_]{2}", rest) else text


def without_instruction(label: str) -> str:
    """Return what a label asks for, without the words that ask for it and an example that follows."""
    short = _EXAMPLE.sub("", label).strip() or label
    rest = _INSTRUCTION.sub("", short).strip()
    return rest if re.search(r"[^\W\d_]{2}", rest) else short


def is_sentence(text: str) -> bool:
    """Whether a text is too long to name something."""
    return len(text.split()) > _MAX_LABEL_WORDS


def is_generic(caption: str) -> bool:
    """Whether a caption does not say what is done."""
    return slug(caption) in GENERIC or caption.strip() in _GENERIC_OTHER_SCRIPTS or not slug(caption)


def is_search(text: str) -> bool:
    """Whether a text begins like the label of a search form."""
    first = slug(text).partition("_")[0]
    return first in _SEARCH or any(written in text.lower() for written in _SEARCH_OTHER_SCRIPTS)


def search_verb(*texts: str) -> str:
    """Return "filter" if the first of the texts that label a search form says so, else "search"."""
    label = next((text for text in texts if is_search(text)), "")
    return "filter" if slug(label).startswith("filt") else "search"


def search_subject(text: str) -> str:
    """Return what a label such as "Search flights" says is searched; "" if it does not say."""
    first, _, rest = slug(text).partition("_")
    if first not in _SEARCH:
        return ""
    return "_".join(word for word in rest.split("_") if word and word not in _UNSPECIFIC)


def singular(name: str) -> str:
    """Return the singular of an English plural; "" if the name does not look like a plural."""
    if name.endswith("ies") and len(name) > 4:
        return f"{name[:-3]}y"
    if name.endswith(("sses", "shes", "ches", "xes")):
        return name[:-2]
    if name.endswith("s") and not name.endswith(("ss", "us", "is", "news")) and len(name) > 3:
        return name[:-1]
    return ""
