"""Tools and HTTP routes derived from a table of aliases: their schemas, and the calls that they mean.

What a row does not give comes from its action: types, limits, defaults, the effect. Arguments are renamed
here; the runner validates them against the action, and its errors name them as the client does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field, create_model

from tabwright.action import Args, Catalog, Effect
from tabwright.call import Call
from tabwright.dialects.alias import INHERITED, REQUIRED, Alias, Param, Render
from tabwright.dialects.dialect import CallOptions, Tool
from tabwright.dialects.simple_schema import simplify
from tabwright.errors import InvalidArgs
from tabwright.schema import ClientName, Schema, normalize, schema_of, validate

_IN_UNITS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "default")


@dataclass(frozen=True)
class PictureLimits:
    """How large pictures may be."""

    max_side: int = 1568
    max_bytes: int = 5 * 1024 * 1024


class AliasTable:
    """The aliases of one dialect over a catalogue.

    Args:
        catalog: the actions.
        aliases: the rows, in the order of the list of tools.
        session: the argument that names the session.
        limits: how large pictures may be, unless a call limits them itself.
        render: makes the whole answer from a result, for dialects that answer with structures.
    """

    def __init__(
        self,
        catalog: Catalog,
        aliases: Sequence[Alias],
        session: Param,
        *,
        limits: PictureLimits | None = None,
        render: Render | None = None,
    ) -> None:
        self._catalog = catalog
        self._aliases = {alias.name: alias for alias in aliases}
        self._session = session
        self._limits = limits or PictureLimits()
        self._render = render
        self._models: dict[str, type[Args]] = {}
        self._schemas: dict[str, Schema] = {}

    def tools(self) -> list[Tool]:
        """Return the tools, in the order of the table."""
        return [self._tool(alias) for alias in self._aliases.values()]

    def request(self, name: str, arguments: Mapping[str, Any]) -> Call | None:
        """Translate a call of a tool; None when there is no such tool."""
        alias = self._aliases.get(name)
        return None if alias is None else self.call(alias, arguments)

    def call(self, alias: Alias, arguments: Mapping[str, Any]) -> Call:
        """Translate a call of an alias.

        Raises:
            InvalidArgs: an argument is unknown, missing or of the wrong type, or names an unknown action.
        """
        params = self._params(alias)
        given = normalize(self.schema(alias), arguments)
        action, args = alias._replace(params=params).meaning(self._check(alias, params, given))
        if action not in self._catalog:
            raise InvalidArgs(f"Unknown action {action!r:.100}.", hint='Search with {"find": "words"}.')
        if alias.action == "screenshot":
            args = {"max_side": self._limits.max_side, "max_bytes": self._limits.max_bytes, **args}
        # Where the client chooses the action, it uses that action's names.
        named = params if alias.action else ()
        names = {param.target: ClientName(param.name, param.unit) for param in named}
        own = self._catalog[action].args.model_fields
        options = {
            name: args.pop(name) for name in CallOptions.model_fields if name in args and name not in own
        }
        return Call(
            action,
            args,
            names=names,
            second=alias.second,
            render=alias.render or self._render,
            **validate(CallOptions, options, names).model_dump(),
        )

    def effect(self, alias: Alias) -> Effect:
        """Return what an alias does."""
        return alias.effect or self._catalog[alias.action].effect

    def schema(self, alias: Alias) -> Schema:
        """Return the schema of the arguments, with their limits. Callers may change its top level."""
        if alias.name not in self._schemas:
            params = self._params(alias)
            required = [param.name for param in params if self._is_required(alias, param)]
            self._schemas[alias.name] = {
                "type": "object",
                "properties": {param.name: self._shape(alias, param) for param in params},
                "additionalProperties": False,
                **({"required": required} if required else {}),
            }
        return dict(self._schemas[alias.name])

    def _tool(self, alias: Alias) -> Tool:
        effect = self.effect(alias)
        meant = [self._catalog[name] for name in (alias.action, *alias.also) if name in self._catalog]
        destructive = any(action.destructive for action in meant) or not meant
        return Tool(
            name=alias.name,
            description=alias.text or self._catalog[alias.action].summary,
            schema=simplify(self.schema(alias)),
            read_only=effect is Effect.READ,
            destructive=effect is not Effect.READ
            and (destructive if alias.destructive is None else alias.destructive),
            idempotent=effect is Effect.READ
            or (alias.destructive is None and bool(meant) and all(action.idempotent for action in meant)),
            open_world=any(action.open_world for action in meant) or not meant,
        )

    def _params(self, alias: Alias) -> tuple[Param, ...]:
        """Return the params of an alias, and the one that names the session."""
        if alias.session is None or any(param.name == self._session.name for param in alias.params):
            return alias.params
        return (*alias.params, self._session._replace(text=alias.session or self._session.text))

    def _check(self, alias: Alias, params: Iterable[Param], arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Check what the action cannot: unknown and missing names, and types that only the dialect has."""
        known = [param.name for param in params]
        given = {name for name, value in arguments.items() if value is not None}
        unknown = [f"{name}: Extra inputs are not permitted" for name in arguments if name not in known]
        missing = [
            f"{param.name}: Field required"
            for param in params
            if param.name not in given and self._is_required(alias, param)
        ]
        if faults := unknown + missing:
            raise InvalidArgs(f"{'; '.join(faults)}.", hint=f"Fields: {', '.join(known) or 'none'}.")
        typed = {param.name: arguments[param.name] for param in params if param.type and param.name in given}
        if not typed:
            return dict(arguments)
        checked = validate(self._own_types(alias), typed)
        fields = type(checked).model_fields
        values = {str(fields[name].alias): getattr(checked, name) for name in checked.model_fields_set}
        return {**arguments, **values}

    def _own_types(self, alias: Alias) -> type[Args]:
        """Return a model of the params that declare a type."""
        if alias.name not in self._models:
            # By aliases, because a client may use a name that models have themselves, such as `json`.
            typed = [param for param in self._params(alias) if param.type]
            fields: dict[str, Any] = {
                f"field{number}": (param.type, Field(None, alias=param.name))
                for number, param in enumerate(typed)
            }
            self._models[alias.name] = create_model(alias.name, __base__=Args, **fields)
        return self._models[alias.name]

    def _source(self, alias: Alias, param: Param) -> Schema:
        """Return the schema that has the field of a param: an action's, or that of the call options."""
        action = param.field.rpartition(".")[0] or alias.action
        models: list[type[Args]] = [CallOptions]
        if action in self._catalog:
            models.insert(0, self._catalog[action].args)
        for schema in map(schema_of, models):
            if param.target in schema["properties"]:
                return schema
        return {"properties": {param.target: {}}, "required": [param.target]}

    def _is_required(self, alias: Alias, param: Param) -> bool:
        if param.default is INHERITED:
            return param.target in self._source(alias, param).get("required", ())
        return param.default is REQUIRED

    def _shape(self, alias: Alias, param: Param) -> Schema:
        """Return the schema of one argument, in the client's unit."""
        inherited: Schema = self._source(alias, param)["properties"][param.target]
        shape = dict(schema_of(self._own_types(alias))["properties"][param.name] if param.type else inherited)
        shape.pop("description", None)
        if param.default is not INHERITED:
            shape.pop("default", None)
        elif "default" in inherited:
            shape["default"] = inherited["default"]
        for key in _IN_UNITS if param.unit != 1 and not param.type else ():
            if key in shape:
                shape[key] = round(shape[key] / param.unit)
        if param.default not in (None, INHERITED, REQUIRED):
            shape["default"] = param.default
        return {**shape, "description": param.text} if param.text else shape
