# SPDX-License-Identifier: MIT
"""A JSON schema as a function: what docs/schema.json uses of draft 2020-12, and a refusal of anything else."""
import re

TYPES = {"object": dict, "array": list, "string": str, "null": type(None), "integer": int, "number": (int, float)}
IGNORED = {"$schema", "$defs", "title", "description"}


def compiled(schema, root=None, known=None):
    """A function of a value: what is wrong with it and where, or None."""
    root = schema if root is None else root
    known = {} if known is None else known
    if "$ref" in schema:
        name = schema["$ref"]
        if name not in known:
            known[name] = None
            at = root
            for part in name.removeprefix("#/").split("/"):
                at = at[part]
            known[name] = compiled(at, root, known)
        return lambda value: known[name](value)
    rules = [RULES[key](rule, schema, root, known) for key, rule in schema.items() if key not in IGNORED]

    def wrong(value):
        return next((found for rule in rules if (found := rule(value))), None)
    return wrong


def types(names, *_):
    names = [names] if isinstance(names, str) else names
    kinds = tuple(kind for name in names for kind in (TYPES[name] if isinstance(TYPES[name], tuple) else (TYPES[name],)))
    return lambda v: None if isinstance(v, kinds) and not isinstance(v, bool) else f"{v!r} is no {' or '.join(names)}"


def within(name, found):
    return f"{name}: {found}" if found else None


def properties(schemas, _, root, known):
    rules = {name: compiled(schema, root, known) for name, schema in schemas.items()}
    return lambda v: next((w for name, x in v.items() if name in rules and (w := within(name, rules[name](x)))), None)


def additional(allowed, schema, root, known):
    named = schema.get("properties", {}).keys()
    if allowed is False:
        return lambda v: next((f"{name} is not in the schema" for name in v if name not in named), None)
    rule = compiled(allowed, root, known)
    return lambda v: next((w for name, x in v.items() if name not in named and (w := within(name, rule(x)))), None)


def items(schema, _, root, known):
    rule = compiled(schema, root, known)
    return lambda v: next((w for i, x in enumerate(v) if (w := within(str(i), rule(x)))), None)


def one_of(schemas, _, root, known):
    rules = [compiled(schema, root, known) for schema in schemas]

    def wrong(value):
        found = [rule(value) for rule in rules]
        return None if found.count(None) == 1 else f"{found.count(None)} of its forms: {'; '.join(filter(None, found))}"
    return wrong


def required(names, *_):
    return lambda v: next((f"{name} is missing" for name in names if name not in v), None)


def pattern(text, *_):
    sign = re.compile(text.replace("$", r"\Z"))
    return lambda v: f"{v!r} is not {text}" if isinstance(v, str) and not sign.search(v) else None


RULES = {
    "type": types,
    "properties": properties,
    "additionalProperties": additional,
    "items": items,
    "oneOf": one_of,
    "required": required,
    "pattern": pattern,
    "const": lambda value, *_: lambda v: None if v == value else f"{v!r} is not {value!r}",
    "enum": lambda values, *_: lambda v: None if v in values else f"{v!r} is not one of {values}",
    "minimum": lambda least, *_: lambda v: f"{v} is below {least}" if isinstance(v, (int, float)) and v < least else None,
    "minLength": lambda least, *_: lambda v: "too short" if isinstance(v, str) and len(v) < least else None,
}
