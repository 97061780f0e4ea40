# SPDX-License-Identifier: MIT
"""Runs notebooks, and compares what their cells say with what is recorded; needs nothing of Jupyter.

    python3 run.py NOTEBOOK.ipynb ..            exit code 1 where an output is another, with both
    python3 run.py --write NOTEBOOK.ipynb ..    records outputs, and writes the page and the pictures beside the notebook

Outputs are what a cell prints, and its last expression: text, or a picture of Matplotlib, of which only that it is
drawn is compared.
"""
import ast
import base64
import contextlib
import io
import json
import pathlib
import sys


def run_cell(source, names):
    """(text, picture or None) of a cell."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last else None
        drawn = picture()
        if value is not None and drawn is None:
            print(repr(value))
    return printed.getvalue(), drawn


def picture():
    """The open figure as PNG, if there is one."""
    if "matplotlib.pyplot" not in sys.modules:
        return None
    from matplotlib import pyplot

    if not pyplot.get_fignums():
        return None
    out = io.BytesIO()
    pyplot.gcf().set_size_inches(6, 3.6)
    pyplot.gcf().savefig(out, format="png", dpi=80, bbox_inches="tight", metadata={"Software": None})
    pyplot.close("all")
    return out.getvalue()


def outputs_of(text, drawn):
    out = []
    if text:
        out.append({"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)})
    if drawn is not None:
        data = {"image/png": base64.b64encode(drawn).decode()}
        out.append({"data": data, "metadata": {}, "output_type": "display_data"})
    return out


def said(outputs):
    """What is compared: text, and whether there is a picture."""
    text = "".join("".join(o["text"]) for o in outputs if o["output_type"] == "stream")
    return text, any("data" in o for o in outputs)


def run(path, write):
    """The number of cells whose outputs are not the recorded ones."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names, count, wrong = {"__name__": "__main__"}, 0, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        outputs = outputs_of(*run_cell("".join(cell["source"]), names))
        if write:
            cell["execution_count"], cell["outputs"] = count, outputs
        elif said(outputs) != said(cell["outputs"]):
            wrong += 1
            print(f"{path.name}, cell {count}: recorded\n{said(cell['outputs'])}\nnow\n{said(outputs)}")
    if write:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        page, pictures = page_of(path, notebook)
        path.with_suffix(".md").write_text(page, encoding="utf-8")
        for name, data in pictures.items():
            (path.parent / name).write_bytes(data)
    return wrong


def page_of(path, notebook):
    """(the page in Markdown, {file: picture})"""
    parts, pictures = [], {}
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            if output["output_type"] == "stream":
                parts.append("```text\n" + "".join(output["text"]).rstrip("\n") + "\n```")
            else:
                name = f"{path.stem}_{len(pictures) + 1}.png"
                pictures[name] = base64.b64decode(output["data"]["image/png"])
                parts.append(f"![Drawn by the cell above]({name})")
    parts.append(f"As a [notebook]({path.name}).")
    return "\n\n".join(parts) + "\n", pictures


def main(arguments):
    import matplotlib

    matplotlib.use("Agg")
    write = "--write" in arguments
    return 1 if sum(run(pathlib.Path(a), write) for a in arguments if a != "--write") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
