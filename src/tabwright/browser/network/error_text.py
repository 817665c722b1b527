"""Chrome's network error codes in plain words."""

_MEANINGS = {
    "ERR_NAME_NOT_RESOLVED": "the host name was not found",
    "ERR_CONNECTION_REFUSED": "the server refused the connection",
    "ERR_CONNECTION_RESET": "the server reset the connection",
    "ERR_CONNECTION_CLOSED": "the server closed the connection",
    "ERR_CONNECTION_TIMED_OUT": "the server did not answer",
    "ERR_TIMED_OUT": "the server did not answer",
    "ERR_EMPTY_RESPONSE": "the server closed the connection without a response",
    "ERR_ADDRESS_UNREACHABLE": "the address cannot be reached",
    "ERR_INTERNET_DISCONNECTED": "there is no network connection",
    "ERR_NETWORK_CHANGED": "the network changed during the request",
    "ERR_TOO_MANY_REDIRECTS": "the server redirected too many times",
    "ERR_UNSAFE_PORT": "Chrome forbids this port",
    "ERR_INVALID_URL": "the address is not valid",
    "ERR_UNKNOWN_URL_SCHEME": "Chrome does not know this kind of address",
    "ERR_DISALLOWED_URL_SCHEME": "this kind of address is not allowed",
    "ERR_FILE_NOT_FOUND": "the file was not found",
    "ERR_ACCESS_DENIED": "access was denied",
    "ERR_BLOCKED_BY_CLIENT": "a rule of this session blocked the request",
    "ERR_BLOCKED_BY_RESPONSE": "the server's headers forbid showing it here",
    "ERR_INVALID_RESPONSE": "the server's response was not valid HTTP",
    "ERR_INVALID_HTTP_RESPONSE": "the server's response was not valid HTTP",
    "ERR_RESPONSE_HEADERS_TOO_BIG": "the server's headers were too long",
    "ERR_CONTENT_DECODING_FAILED": "the server's compression was broken",
    "ERR_INCOMPLETE_CHUNKED_ENCODING": "the response ended early",
    "ERR_CONTENT_LENGTH_MISMATCH": "the response ended early",
    "ERR_SSL_PROTOCOL_ERROR": "the TLS handshake with the server failed",
    "ERR_PROXY_CONNECTION_FAILED": "the proxy cannot be reached",
    "ERR_TUNNEL_CONNECTION_FAILED": "the proxy refused the connection",
    "ERR_NO_SUPPORTED_PROXIES": "the proxy setting is not valid",
    "ERR_CERT_DATE_INVALID": "the certificate has expired or is not valid yet",
    "ERR_CERT_COMMON_NAME_INVALID": "the certificate belongs to another host",
    "ERR_CERT_AUTHORITY_INVALID": "the certificate is not signed by a trusted authority",
    "ERR_CERT_REVOKED": "the certificate was revoked",
    "ERR_INVALID_AUTH_CREDENTIALS": "the server requires a user name and password",
    "ERR_ABORTED": "it was cancelled",
}


def explain(error_text: str) -> str:
    """Return meaning and code, such as `the server refused the connection (ERR_CONNECTION_REFUSED)`."""
    code = error_text.removeprefix("net::")
    if code in _MEANINGS:
        return f"{_MEANINGS[code]} ({code})"
    if code.startswith(("ERR_CERT_", "ERR_SSL_")):
        return f"the certificate or the encryption is invalid ({code})"
    return f"Chrome reports {code}"
