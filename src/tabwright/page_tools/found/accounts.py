"""Labels, headings and identifiers that say that a form logs in, or creates an account."""

import re
from collections.abc import Iterable

from tabwright.browser.snapshot.nodes import words as set_of
from tabwright.page_tools.found.words import slug

# Latin words as `slug` writes them, also those that it transliterates from Cyrillic.
_LOGIN = set_of("""
    log_in login logon log_on log_into sign_in signin sign_on signon sign_into authenticate authentication
    einloggen anmelden anmeldung connexion connecter connectez identifier identifiez authentification
    iniciar_sesion inicio_de_sesion inicia_sesion autenticar acceder acceso ingresar entrar acessar acesso
    accedi accesso inloggen aanmelden zaloguj logowanie prihlasit prihlaseni prihlasenie logga_in log_ind
    logg_inn kirjaudu giris giris_yap oturum_ac bejelentkezes belepes conectare autentificare prijava prijavi
    masuk dang_nhap voyti vojti vkhod vhod uviyti vkhid avtorizatsiya avtorizaciya
""")
_LOGIN_WRITTEN = set_of("""
    ログイン 登录 登入 登錄 로그인 войти вход авторизац увійти вхід влез دخول ورود התחבר כניסה เข้าสู่ระบบ
    είσοδος σύνδεση
""")
_SIGN_UP = set_of("""
    sign_up signup register registration create_account create_an_account create_your_account
    create_my_account create_new_account new_account join join_now get_started registrieren registrierung
    konto_erstellen inscription inscrire s_inscrire creer_un_compte registrarse registrarme registro
    crear_cuenta cadastro cadastrar criar_conta registrati iscriviti registreren zarejestruj rejestracja
    zaregistrovat registrera opret_konto kayit_ol uye_ol regisztracio daftar dang_ky zaregistrirovatsya
    registratsiya
""")
_SIGN_UP_WRITTEN = set_of("登録 新規 注册 註冊 가입 зарегистр регистрац зареєстр حساب הרשמה สมัคร")


def _pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:^|_)(?:{'|'.join(sorted(phrases, key=len, reverse=True))})(?:_|$)")


_LOGIN_PATTERN, _SIGN_UP_PATTERN = _pattern(_LOGIN), _pattern(_SIGN_UP)


def account_action(text: str, *, identifier: bool = False) -> str:
    """Return `log_in` or `sign_up` if a text says one of them and not the other, else ""."""
    name, lower = slug(text, 200, identifier=identifier), text.lower()
    login = _LOGIN_PATTERN.search(name) or any(word in lower for word in _LOGIN_WRITTEN)
    sign_up = _SIGN_UP_PATTERN.search(name) or any(word in lower for word in _SIGN_UP_WRITTEN)
    if bool(login) == bool(sign_up):
        return ""
    return "log_in" if login else "sign_up"
