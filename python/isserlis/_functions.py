# SPDX-License-Identifier: MIT
"""A function for each command, made from its row in the tables of the library."""
from inspect import Parameter, Signature

from . import _arguments, _table
from ._call import ask

COMMON = _table.common_parameters()


def positionals(command):
    """Names of the words of a command, in order: "query", "widths"; one with a star takes any number."""
    names = [w.strip("`").lower() for w in command["positional"].split()]
    if command["most_positionals"] > len(names):
        names[-1] = "*" + names[-1]
    return names


def function_name(command):
    return command["name"].replace("-", "_")


def signature_of(command):
    out = []
    for name in positionals(command):
        if name.startswith("*"):
            out.append(Parameter(name[1:], Parameter.VAR_POSITIONAL))
        else:
            # Files may stand in place of widths; without an ID all of them are listed.
            default = None if name in ("widths", "id") else Parameter.empty
            out.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default))
    for row in command["parameters"] + COMMON:
        default = None if row["value"] else False
        out.append(Parameter(row["keyword"], Parameter.KEYWORD_ONLY, default=default))
    return Signature(out, return_annotation="isserlis.Answer")


def _wrapped(text, indent):
    """Lines of up to 100 letters; textwrap would take longer than the rest of the import."""
    lines, line = [], indent
    for word in text.split():
        if len(line) + len(word) > 100 and line != indent:
            lines.append(line.rstrip())
            line = indent
        line += word + " "
    return "\n".join([*lines, line.rstrip()])


def _parameter_lines(row):
    kind = row["value"] if row["value"] else "bool"
    out = [f"{row['keyword']} : {kind}"]
    said = row["help"] or "one of: " + ", ".join(row["choices"])
    if any(c not in row["help"] for c in row["choices"]) and row["help"]:
        said += "; one of: " + ", ".join(row["choices"])
    if row["usual"]:
        said += f" (default {row['usual']})"
    return out + [_wrapped(said, "    ")]


def _quantity_lines(row):
    index = f"[{row['index']}]" if row["index"] else ""
    out = [f"{row['name']}{index}"]
    for key, title in (("summary", ""), ("formula", "formula: "), ("source", "source: "), ("assumptions", "assumes: ")):
        if row[key]:
            out.append(_wrapped(title + row[key], "    "))
    return out


def docstring_of(command):
    """Everything that is known of a command: words, parameters, results."""
    lines = [command["summary"] + ".", ""]
    if command["positional"]:
        names = ", ".join(positionals(command))
        lines += [f"{names} :", _wrapped(command["positional_help"], "    "), ""]
    lines += ["Parameters", "----------"]
    for row in command["parameters"] + COMMON:
        lines += _parameter_lines(row)
    lines += ["", "Returns", "-------", "Answer", "    Results by name and index."]
    lines += ["", "Raises", "------", "ParseError, DomainError", "    For arguments that are wrong; `.parameter` names them."]
    lines += ["UnsupportedError", "    For what is not served here, or would not fit."]
    rows = [q for q in _table.quantities() if q["command"] == command["name"]]
    if rows:
        lines += ["", "Results", "-------"]
        for row in rows:
            lines += _quantity_lines(row)
    return "\n".join(lines) + "\n"


def make(command):
    signature = signature_of(command)
    rows = {row["keyword"]: row for row in command["parameters"] + COMMON}
    words = [name.lstrip("*") for name in positionals(command)]

    def call(*args, **kwargs):
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{call.__name__}(): {error}") from None
        question_words, parameters = [], {}
        with _arguments.Files() as files:
            for name, value in given.items():
                if name in words and name not in rows:
                    several = signature.parameters[name].kind is Parameter.VAR_POSITIONAL
                    for one in value if several else [value]:
                        if one is not None:
                            question_words.append(_arguments.word(one, name))
                elif value is not None:
                    texts = _arguments.parameter(rows[name], value, files)
                    if texts is not None:
                        parameters[rows[name]["name"]] = texts
            return ask(command["name"], question_words, parameters)

    call.__name__ = call.__qualname__ = function_name(command)
    call.__module__ = "isserlis"
    call.__signature__ = signature
    call.__doc__ = docstring_of(command)
    return call
