"""The OpenAPI document of the REST door, derived from the catalogue."""

from collections.abc import Sequence

from pydantic.json_schema import models_json_schema

from tabwright import __version__
from tabwright.action import Action, Catalog
from tabwright.dialects.browsion.routes import Endpoint
from tabwright.dialects.dialect import CallOptions, option_schemas
from tabwright.doors.wire.http_json import STATUS
from tabwright.schema import Schema, schema_of

_REFERENCE = "#/components/schemas/{model}"
_TEXT: Schema = {"type": "string"}
# Answers of the HTTP door itself, in addition to those of actions.
_REFUSALS = {
    401: "The token is missing or unknown.",
    405: "The method is not allowed.",
    408: "The body did not arrive in time.",
    413: "The body is too large.",
    415: "The body is not application/json.",
    421: "The Host header names another server.",
    429: "Too many calls; see retry-after.",
}
# Options of a Browsion route: its session is in the path.
OPTIONS = tuple(name for name in CallOptions.model_fields if name != "session")


def describe(action: Action) -> Schema:
    """Return the description of one action."""
    return {
        "name": action.name,
        "summary": action.summary,
        "category": action.group,
        "effect": action.effect,
        "idempotent": action.idempotent,
        "args": schema_of(action.args),
        "result": action.result.model_json_schema(mode="serialization"),
    }


def document(catalog: Catalog, endpoints: Sequence[Endpoint] = ()) -> Schema:
    """Return the whole document."""
    results, schemas = _results(catalog)
    routes: dict[str, Schema] = {}
    for endpoint in endpoints:
        routes.setdefault(endpoint.path, {})[endpoint.method.lower()] = _route(endpoint, catalog, results)
    actions = {f"/api/actions/{action.name}": _path(action, results[action.name]) for action in catalog}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tabwright",
            "version": __version__,
            "description": "A real browser: one POST for each action. Answers and failures are JSON. With "
            "`Accept: application/vnd.browsion+json`, Browsion's routes answer as Browsion does.",
        },
        # Until a token is created, a caller without one is the user.
        "security": [{}, {"bearer": []}, {"key": []}],
        "paths": {**_fixed_paths(), **actions, **routes},
        "components": {
            "schemas": {**schemas, "Answer": _answer(), "Problem": _error_schema()},
            "responses": _error_responses(),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            },
        },
    }


def _results(catalog: Catalog) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """Return a reference to the result of each action, and the schemas that these refer to."""
    models = {action.name: action.result for action in catalog}
    references, found = models_json_schema(
        [(model, "serialization") for model in models.values()], ref_template=_REFERENCE
    )
    results = {name: references[model, "serialization"] for name, model in models.items()}
    schemas: dict[str, Schema] = found["$defs"]
    wanted = str(results)
    # Excluded fields leave the schemas of their types behind.
    needed = {
        name: schema
        for name, schema in schemas.items()
        if _REFERENCE.format(model=name)
        in wanted + str([other for known, other in schemas.items() if known != name])
    }
    return results, needed


def _path(action: Action, result: Schema) -> Schema:
    schema = schema_of(action.args)
    return {
        "post": {
            "operationId": action.name,
            "summary": action.summary.partition("\n")[0],
            "description": action.summary,
            "tags": [action.group],
            "x-effect": action.effect,
            "parameters": _in_query({"properties": option_schemas(action)}),
            "requestBody": {"required": "required" in schema, "content": _json(schema)},
            "responses": _responses(result),
        }
    }


def _route(endpoint: Endpoint, catalog: Catalog, results: dict[str, Schema]) -> Schema:
    """Return the operation of a route."""
    alias, schema = endpoint.alias, endpoint.schema
    action = catalog[alias.action]
    path = endpoint.path.replace("{", "").replace("}", "").removeprefix("/api/")
    also = {name: field for name, field in option_schemas(action).items() if name in OPTIONS}
    possible = [results[name] for name in (alias.action, *alias.also) if name in results]
    operation: Schema = {
        "operationId": f"{endpoint.method.lower()}_{path.replace('/', '_')}",
        "summary": alias.text.partition("\n")[0],
        "tags": [f"browsion {action.group}"],
        "x-effect": endpoint.effect,
        "parameters": [*_in_path(endpoint), *_in_query({"properties": also})],
        "responses": _responses(possible[0] if len(possible) == 1 else {"anyOf": possible}),
    }
    if endpoint.in_query:
        operation["parameters"] += _in_query(schema)
    else:
        operation["requestBody"] = {"required": "required" in schema, "content": _json(schema)}
    return operation


def _in_path(endpoint: Endpoint) -> list[Schema]:
    fields = endpoint.arguments["properties"]
    return [
        {"name": part, "in": "path", "required": True, **_describe(fields[name])}
        for part, name in endpoint.parts.items()
    ]


def _in_query(schema: Schema) -> list[Schema]:
    required = schema.get("required", ())
    return [
        {"name": name, "in": "query", **({"required": True} if name in required else {}), **_describe(field)}
        for name, field in schema["properties"].items()
    ]


def _describe(field: Schema) -> Schema:
    about = {"description": field["description"]} if "description" in field else {}
    return {**about, "schema": {key: value for key, value in field.items() if key != "description"}}


def _responses(result: Schema) -> Schema:
    return {
        "200": {"description": "Done.", "content": _json(_answer_with(result))},
        **{status: {"$ref": f"#/components/responses/{status}"} for status in _error_responses()},
    }


def _answer_with(result: Schema) -> Schema:
    return {
        "allOf": [
            {"$ref": _REFERENCE.format(model="Answer")},
            {"type": "object", "properties": {"result": result}},
        ]
    }


def _answer() -> Schema:
    file = {
        "type": "object",
        "properties": {
            "name": {**_TEXT, "description": "Name in the store."},
            "mime": {**_TEXT, "description": "Media type."},
            "size": {"type": "integer", "description": "Bytes."},
            "uri": {**_TEXT, "description": "URI of the MCP resource."},
            "url": {**_TEXT, "description": "Path to download it from."},
        },
        "required": ["name", "mime", "size", "uri", "url"],
    }
    properties = {
        "text": {**_TEXT, "description": "Text for agents, within the token budget."},
        "result": {"type": "object", "description": "The complete result, for programs."},
        "effects": {"type": ["string", "null"], "description": "What changed on the page."},
        "cursor": {**_TEXT, "description": "For `more`, if the text was shortened; else empty."},
        "session": {**_TEXT, "description": "The session of the call."},
        "tab": {**_TEXT, "description": "The tab of the call; empty if it used none."},
        "files": {"type": "array", "items": file, "description": "Files that the action made."},
    }
    return {"type": "object", "properties": properties, "required": list(properties)}


def _error_schema() -> Schema:
    properties = {
        "class": {
            "type": "string",
            "enum": [kind.__name__ for kind in STATUS],
            "description": "The kind of error.",
        },
        "message": {**_TEXT, "description": "What happened."},
        "hint": {**_TEXT, "description": "What to do next."},
    }
    error = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "object", "properties": {"error": error}, "required": ["error"]}


def _error_responses() -> dict[str, Schema]:
    """Return the error responses by status."""
    texts = dict(_REFUSALS)
    for kind, status in STATUS.items():
        first = (kind.__doc__ or "").partition("\n")[0]
        texts[status] = f"{texts.get(status, '')} {kind.__name__}: {first}".lstrip()
    content = _json({"$ref": _REFERENCE.format(model="Problem")})
    return {str(status): {"description": texts[status], "content": content} for status in sorted(texts)}


def _fixed_paths() -> Schema:
    """Return the paths that do not depend on the catalogue."""
    return {
        "/api/health": _get("health", "Report whether the hub is up.", {"type": "object"}),
        "/api/actions": _get(
            "list_actions", "List the actions.", {"type": "array", "items": {"type": "object"}}
        ),
        "/api/files/{name}": {
            "get": {
                "operationId": "get_file",
                "summary": "Get a file that an action made.",
                "parameters": [{"name": "name", "in": "path", "required": True, "schema": _TEXT}],
                "responses": {
                    "200": {"description": "The file.", "content": {"*/*": {}}},
                    "404": {"$ref": "#/components/responses/404"},
                },
            }
        },
    }


def _get(name: str, summary: str, schema: Schema) -> Schema:
    answer = {"description": "Done.", "content": _json(schema)}
    return {"get": {"operationId": name, "summary": summary, "responses": {"200": answer}}}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}
