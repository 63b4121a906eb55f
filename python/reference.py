"""Writes the reference of the package, `docs/reference/python.md`, from its docstrings and stubs.

`python python/reference.py` writes it, with --check it only compares. Nothing is imported: public
names are those of `__init__.py`, and a name is described in the file from which it is imported.
"""

import ast
import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[1]
PACKAGE = ROOT / "python" / "dqdt"
PAGE = ROOT / "docs" / "reference" / "python.md"

HEAD = """\
<!-- Written by `python python/reference.py` from the docstrings and stubs of the package. -->

# The Python package

All values are in SI units and radians; names are those of the spec. The chapter [Python](../python.md) introduces the package by
examples.
"""

#: Names of types that only the package knows.
ALIASES = {"Setting": "float | str"}

#: Order of the page; a public name that is not listed follows at the end.
ORDER = ["load", "Mechanism", "Report", "BaseParameters", "Claim", "Functions", "Function", "Run", "Animation", "Linearization"]


class Source:
    """A parsed file of the package, with its lines, which have the comments."""

    def __init__(self, path):
        self.name = path.name
        text = path.read_text(encoding="utf-8")
        self.lines = text.splitlines()
        self.tree = ast.parse(text)

    def definition(self, name):
        """The class or function of this name."""
        for node in self.tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
                return node
        raise LookupError(f"{self.name} does not define {name}")

    def comment(self, node):
        """The comments `#:` above a definition, as one text."""
        lines, above = [], node.lineno - 2
        while self.lines[above].strip().startswith("#:"):
            lines.insert(0, self.lines[above].strip().removeprefix("#:").strip())
            above -= 1
        return " ".join(lines)


def public_names():
    """Each public name with the stem of the file that defines it."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    return {a.name: n.module for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names}


def source_of(module):
    path = PACKAGE / f"{module}.pyi"
    return Source(path if path.exists() else PACKAGE / f"{module}.py")


def require(text, what):
    """This text; without it the page would have a gap."""
    if not text:
        raise LookupError(f"{what} has no docstring, or no comment `#:` above it")
    return text


def type_text(node):
    """A type as in Python 3.10: `Union[A, B]` as `A | B`, without the names of modules."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in ("Union", "Optional"):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice, ast.Constant(None)]
        return " | ".join(map(type_text, parts))
    if isinstance(node, ast.BinOp):
        return f"{type_text(node.left)} | {type_text(node.right)}"
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return f"{type_text(node.value)}[{', '.join(map(type_text, parts))}]"
    text = ast.unparse(node).strip("'")
    for module in ("_dqdt.", "np.", "os."):
        text = text.replace(module, "")
    return ALIASES.get(text, text)


def parameter_text(argument, default):
    text = argument.arg
    if argument.annotation is not None:
        text += f": {type_text(argument.annotation)}"
    if default is not None:
        text += f" = {ast.unparse(default)}".replace("'", '"')
    return text


def call_text(name, function):
    """A function as it is called, with types and defaults; one parameter a line if it is long."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    parts = [parameter_text(a, d) for a, d in zip(positional, defaults) if a.arg not in ("self", "cls")]
    if arguments.vararg:
        parts.append("*" + parameter_text(arguments.vararg, None))
    elif arguments.kwonlyargs:
        parts.append("*")
    parts += [parameter_text(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg:
        parts.append("**" + parameter_text(arguments.kwarg, None))
    result = "" if function.returns is None else f" -> {type_text(function.returns)}"
    line = f"{name}({', '.join(parts)}){result}"
    if len(line) <= 100:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){result}"


def docstring_as_markdown(text):
    """A docstring, with the lines `name: meaning` as a list."""
    out, in_list = [], False
    for line in text.splitlines():
        name, colon, meaning = line.partition(": ")
        if colon and name.isidentifier():
            if not in_list and out and out[-1]:
                out.append("")
            out.append(f"- `{name}`: {meaning}")
            in_list = True
        elif in_list and line.strip():
            out.append("  " + line)
        else:
            in_list = False
            out.append(line)
    return "\n".join(out)


def is_property(node):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def attributes(source, owner):
    """Name, type and meaning of the attributes and properties of a class."""
    for node in owner.body:
        if isinstance(node, ast.AnnAssign) and not node.target.id.startswith("_"):
            meaning = require(source.comment(node), f"{owner.name}.{node.target.id}")
            yield node.target.id, type_text(node.annotation), meaning
        elif isinstance(node, ast.FunctionDef) and node.name == "__init__":
            for line in ast.walk(node):
                if isinstance(line, ast.AnnAssign) and not line.target.attr.startswith("_"):
                    meaning = require(source.comment(line), f"{owner.name}.{line.target.attr}")
                    yield line.target.attr, type_text(line.annotation), meaning
        elif isinstance(node, ast.FunctionDef) and is_property(node) and is_public(node):
            meaning = require(ast.get_docstring(node), f"{owner.name}.{node.name}")
            yield node.name, type_text(node.returns), " ".join(meaning.split())


def is_public(node):
    return not node.name.startswith("_") or node.name == "__name__"


def methods(owner):
    """Title, call and docstring of each public method."""
    for node in owner.body:
        if not isinstance(node, ast.FunctionDef) or is_property(node):
            continue
        if node.name == "__getitem__":
            (argument,) = node.args.args[1:]
            title, call = "[]", f"self[{parameter_text(argument, None)}] -> {type_text(node.returns)}"
        elif node.name == "__call__":
            title, call = "()", call_text("function", node)
        elif not node.name.startswith("_"):
            title, call = f".{node.name}", call_text(node.name, node)
        else:
            continue
        doc = ast.get_docstring(node)
        # That of a call is the docstring of the class.
        yield f"{owner.name}{title}", call, doc if node.name == "__call__" else require(doc, f"{owner.name}.{node.name}")


def cell(text):
    return text.replace("|", "\\|")


def describe(name, module):
    """The section of a name."""
    source = source_of(module)
    node = source.definition(name)
    doc = docstring_as_markdown(require(ast.get_docstring(node), name))
    if isinstance(node, ast.FunctionDef):
        return f"## `dqdt.{name}`\n\n```python\n{call_text(name, node)}\n```\n\n{doc}\n"
    bases = [type_text(b) for b in node.bases if type_text(b) not in ("NamedTuple", "object")]
    out = f"## `dqdt.{name}`\n\n{doc}\n"
    if bases:
        out += f"\nBase class: `{', '.join(bases)}`.\n"
    rows = [f"| `{a}` | `{cell(t)}` | {cell(m)} |" for a, t, m in attributes(source, node)]
    if rows:
        out += "\n| attribute | type | meaning |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    for title, call, text in methods(node):
        out += f"\n### `{title}`\n\n```python\n{call}\n```\n"
        if text:
            out += f"\n{docstring_as_markdown(text)}\n"
    return out


def page():
    """The page: the same package gives the same bytes."""
    names = {name: module for name, module in public_names().items() if not name.startswith("_")}
    ordered = [name for name in ORDER if name in names]
    ordered += sorted(name for name in names if name not in ordered)
    return HEAD + "".join("\n" + describe(name, names[name]) for name in ordered)


def main():
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != text:
        sys.exit(f"stale: {PAGE.relative_to(ROOT)}; `python python/reference.py` writes it anew")


if __name__ == "__main__":
    main()
