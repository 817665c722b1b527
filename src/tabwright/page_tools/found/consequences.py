"""Buttons that pay, delete or send: a tool presses one only if its own name says so."""

import re
from typing import Final

from tabwright.browser.snapshot.nodes import words as set_of
from tabwright.page_tools.found.words import slug

# The verbs of each consequence; the first in a name says it.
_VERBS: Final = {
    "pay": set_of("""
        pay buy purchase donate bezahlen zahlen kaufen bestellen spenden payer acheter commander pagar comprar
        donar paga acquista compra ordina betalen kopen bestel betal kop zaplac kup zaplatit koupit oplatit
        kupit zakazat commande transfer uberweisen virer transferir ode odemeyi bayar fizet
    """),
    "delete": set_of("""
        delete remove erase destroy wipe loschen entfernen supprimer effacer eliminar borrar quitar remover
        excluir apagar elimina rimuovi cancella verwijder verwijderen usun smazat udalit ta_bort slet slett
        sil torol hapus sterge poista
    """),
    "send": set_of("""
        send post publish tweet senden absenden veroffentlichen envoyer publier enviar publicar invia pubblica
        verzenden versturen wyslij opublikuj odeslat otpravit opublikovat skicka gonder
        kuld kirim trimite laheta
    """),
}
_WRITTEN: Final = {
    "pay": ("支払", "購入", "注文", "付款", "支付", "购买", "購買", "결제", "구매", "ادفع", "شراء"),
    "delete": ("削除", "删除", "刪除", "삭제", "حذف"),
    "send": ("送信", "投稿", "发送", "發送", "发布", "보내", "إرسال", "نشر"),
}
# Words before the verb that do not change what a button does.
_FILLERS = set_of("""
    yes ok okay confirm complete finish continue proceed review save please now i want my your the this all it
    agree accept submit ja jetzt oui si sim da
""")
_MAX_COMMAND_WORDS = 4
_CLAUSES = re.compile(r"_(?:and|then|to|und|et|y|e|en|i|och|og|ja)_|_(?=&)")
_ORDER = re.compile(r"(?:place|complete|submit|confirm)_(?:\w+_)?order|order(?:_(?:now|and\w*|with\w*))?")


def consequence_of(label: str) -> str:
    """Return what pressing a button with this label does: "pay", "delete", "send"; "" for anything else."""
    for kind, written in _WRITTEN.items():
        if any(word in label for word in written):
            return kind
    name = slug(label.replace("&", " and "), 200)
    if _ORDER.fullmatch(name):
        return "pay"
    for clause in _CLAUSES.split(name):
        said = [word for word in clause.split("_") if word not in _FILLERS]
        # In a short label the verb may stand anywhere: "Permanently delete", "Konto löschen".
        verbs = said if len(said) <= _MAX_COMMAND_WORDS else said[:1]
        for kind, known in _VERBS.items():
            if not known.isdisjoint(verbs):
                return kind
    return ""


def announces(name: str, label: str) -> bool:
    """Whether the name of a tool says what pressing a button with this label does."""
    kind = consequence_of(label)
    said = set(name.split("_"))
    return not kind or not said.isdisjoint(_VERBS[kind] | ({"order", "orders"} if kind == "pay" else set()))


def announce(name: str, label: str) -> str:
    """Return the name of a tool that presses a button, preceded by what this does unless the name says so."""
    return name if announces(name, label) else f"{consequence_of(label)}_{name}"
