"""Words of pages as parts of names: any script in ASCII, cut at a word, and which of them say nothing."""

import re
import unicodedata

from anyascii import anyascii

from tabwright.browser.snapshot.nodes import words as set_of

LONGEST_NAME = 48
LONGEST_KEY = 30
# The first words of a caption are enough to tell it; a sentence is none at all, and may be an instruction.
MOST_WORDS = 5
_SENTENCE = 9

_ASIDE = re.compile(
    r"\((?:[^()]*\b)?(?:optional|required|facultatif|obligatoire|freiwillig|pflichtfeld|opcional)\b[^()]*\)",
    re.IGNORECASE,
)
_APOSTROPHES = re.compile("['`\u2019\u02bc\u00b4]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

# Captions that say that something is sent, not what.
GENERIC = set_of("""
    submit go ok okay send search continue next save apply add create update find filter confirm done finish
    proceed enter change post start request look_up
    suchen suche weiter senden absenden speichern anwenden hinzufugen ubernehmen finden fertig bestatigen
    rechercher envoyer valider continuer enregistrer appliquer ajouter suivant chercher confirmer
    buscar enviar guardar continuar aplicar siguiente anadir confirmar
    cerca invia salva continua avanti applica zoeken verzenden opslaan volgende
    pesquisar salvar avancar poisk nayti otpravit sokhranit prodolzhit dalee primenit iskat
""")
_GENERIC_WRITTEN = set_of("""
    検索 送信 送信する 保存 保存する 次へ 適用 追加 登録 إرسال بحث حفظ التالي متابعة
    搜索 提交 下一步 搜尋 검색 전송 저장 다음
""")
_SEARCH = set_of("""
    search look_up lookup suche suchen rechercher recherche chercher buscar busqueda busca
    pesquisar pesquisa cerca ricerca zoeken zoek poisk nayti iskat szukaj sok etsi ara hledat
    cautare kereses tim_kiem
""")
_SEARCH_WRITTEN = ("検索", "搜索", "搜尋", "검색", "بحث", "ابحث", "поиск", "найти", "искать", "חיפוש", "ค้นหา")
# What a search is for, when it is for everything.
_EVERYTHING = set_of("""
    for the a an and or jump our all any in on by of to this site website web page here anything everything
    something terms term keyword keywords query text you me now nach auf der die das im in alles
    seite un une des le la les du de
    sur dans ici site en el los las por sitio po saytu sayt
""")


def slug(text: str, most: int = LONGEST_NAME, *, identifier: bool = False) -> str:
    """Return a text as lower-case ASCII words joined by underscores, cut at a word; "" when nothing is left.

    An identifier of the page (`firstName`) is parted where its capitals are.
    """
    plain = _ASIDE.sub(" ", _APOSTROPHES.sub("", text))
    plain = "".join(map(_plain, unicodedata.normalize("NFKC", plain)))
    words = re.findall(r"[^\W_]+", plain)
    parted = [_ascii(word, identifier=identifier) for word in words]
    return _cut([piece for word in parted for piece in re.findall(r"[a-z0-9]+", word.lower())], most)


def _plain(char: str) -> str:
    """Return a Latin letter without its accents; other scripts lose their meaning with theirs."""
    first = unicodedata.normalize("NFKD", char)[0]
    return first if first.isascii() and first.isalpha() else char


def _ascii(word: str, *, identifier: bool) -> str:
    if word.isascii():
        return _HUMP.sub(" ", word) if identifier else word
    return _HUMP.sub(" ", anyascii(word)) if not _is_cased(word) else anyascii(word)


def _is_cased(word: str) -> bool:
    """Whether a script has capitals, so that one in the middle was not put there by us."""
    return word.lower() != word.upper()


def _cut(words: list[str], most: int) -> str:
    kept = ""
    for word in words:
        longer = f"{kept}_{word}" if kept else word
        if len(longer) > most:
            break
        kept = longer
    return kept or (words[0][:most] if words else "")


def first_words(text: str, most: int = MOST_WORDS) -> str:
    """Return the first words of a caption; "" of a sentence."""
    words = text.split()
    return "" if is_sentence(text) else " ".join(words[:most])


def is_sentence(text: str) -> bool:
    """Whether a text is too long to name something."""
    return len(text.split()) > _SENTENCE


def is_generic(caption: str) -> bool:
    """Whether a caption says only that something is done."""
    return slug(caption) in GENERIC or caption.strip() in _GENERIC_WRITTEN or not slug(caption)


def is_search(text: str) -> bool:
    """Whether a text begins as the label of a search does."""
    first = slug(text).partition("_")[0]
    return first in _SEARCH or any(written in text.lower() for written in _SEARCH_WRITTEN)


def sought(text: str) -> str:
    """Return what a search is for, of a label such as "Search flights"; "" when that is everything."""
    first, _, rest = slug(text).partition("_")
    if first not in _SEARCH:
        return ""
    return "_".join(word for word in rest.split("_") if word and word not in _EVERYTHING)


def singular(name: str) -> str:
    """Return the name of one of several, in English; "" when the name is not seen to be of several."""
    if name.endswith("ies") and len(name) > 4:
        return f"{name[:-3]}y"
    if name.endswith(("sses", "shes", "ches", "xes")):
        return name[:-2]
    if name.endswith("s") and not name.endswith(("ss", "us", "is", "news")) and len(name) > 3:
        return name[:-1]
    return ""
