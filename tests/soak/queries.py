# SPDX-License-Identifier: MIT
"""Random command lines: networks with symbols, and pairs of commands that mean the same."""
import dataclasses
import pathlib

FORM_FILE = str(pathlib.Path(__file__).with_name("form.json"))

# Sampled or certified digits, and what a number is printed of where a formula is not.
NOT_COMPARED = {"log_squared_norm_mean", "chi_mean", "variance_lower", "growth_lower", "relative_rate"}


@dataclasses.dataclass
class Query:
    words: list
    widths: set
    depths: list
    parameters: set = dataclasses.field(default_factory=set)
    layers: set = dataclasses.field(default_factory=set)  # generic layers that EXPR names
    covers: bool = True  # the answer has all layers
    least_depth: int = 1  # below it the query names the input

    @property
    def symbols(self):
        return self.widths | set(self.depths) | self.parameters | self.layers


@dataclasses.dataclass
class Leg:
    """A result of one command, and the query that is its expectation."""

    formula: list
    name: str
    index: tuple
    strands: list
    other: str = "value"  # the result of the second command


def random_widths(rng, most_depths=2):
    """(text, widths, depths) of a network with at least one symbol."""
    names = rng.choice((["n0", "n", "m", "p"], ["a", "b", "c", "d"]))
    depths = ["L", "M"][:rng.choice((1, 1, 1, min(2, most_depths)))] if most_depths else []
    tokens = []
    if rng.random() < 0.75:
        tokens.append(rng.choice((names[0], names[1], "3", "2")))
    for i, depth in enumerate(depths):
        tokens.append(f"{rng.choice((names[1 + i], names[1], '3'))}:{depth}")
        if rng.random() < 0.2:
            tokens.append(rng.choice((names[3], "2", names[1])))
    if not depths:
        tokens += [rng.choice((names[1], names[2], "2")) for _ in range(rng.randint(1, 2))]
        tokens.append(f"{names[1]}:{rng.randint(1, 2)}")
    if rng.random() < 0.65:
        tokens.append(rng.choice(("1", "1", "2", names[1], names[0])))
    if len(tokens) == 1 and not depths:
        tokens.append("1")
    widths = {t.split(":")[0] for t in tokens if t[0].isalpha()}
    return ",".join(tokens), widths, depths


def model_options(rng, parameters, gaussian=True):
    words = []
    if rng.random() < 0.45:
        choice = rng.choice(("linear", "leaky:1/2", "leaky:-1/3", "leaky:0", "leaky:s"))
        words += ["--activation", choice]
        if choice == "leaky:s":
            parameters.add("s")
    if rng.random() < 0.25:
        words += ["--head", "activation"]
    if rng.random() < 0.4:
        choice = rng.choice(("xavier", "mean-field", "standard", "xavier-average", "v", "1", "2/fan_in", "1/fan_out"))
        words += ["--variance" if choice in ("v", "1", "2/fan_in", "1/fan_out") else "--scheme", choice]
        if choice == "v":
            parameters.add("v")
    if not gaussian and rng.random() < 0.2:
        words += ["--law", rng.choice(("uniform", "rademacher", "laplace"))]
    return words


def parametrised(rng, words):
    """Exponents of the width in place of a scheme, sometimes."""
    if rng.random() < 0.3 and "--scheme" not in words and "--variance" not in words:
        words += ["--parametrisation",
                  rng.choice(("standard", "ntk", "mean-field", "mup", "0:0:1,0:1/2:0,-1:0:-1", "1,0,0:1:2"))]


def norm(rng):
    text, widths, depths = random_widths(rng)
    parameters = set()
    words = ["norm", text, *model_options(rng, parameters)]
    if rng.random() < 0.4:
        words += ["--order", str(rng.randint(1, 3))]
    if rng.random() < 0.3:
        words.append("--pre")
    if rng.random() < 0.25:
        words += ["--law", "orthogonal"]
    return with_layer(rng, Query(words, widths, depths, parameters))


def init(rng):
    text, widths, depths = random_widths(rng)
    parameters = set()
    words = ["init", text, *model_options(rng, parameters)]
    parametrised(rng, words)
    return with_layer(rng, Query(words, widths, depths, parameters))


def with_layer(rng, query):
    if rng.random() < 0.35:
        depth = rng.choice(query.depths or ["1"])
        layer = rng.choice(("1", "2", "3"))
        if query.depths:
            layer = rng.choice((depth, f"{depth}-1", f"{depth}+1", "2", "3", "+".join(query.depths), "l"))
        query.words += ["--layer", layer]
        query.covers = False
    return query


def jacobian(rng):
    kind = rng.choice(("vanilla", "vanilla", "vanilla", "resnet", "densenet"))
    parameters = set()
    if kind == "densenet":
        words = ["jacobian", "n,n:L", "--network", "densenet", "--head", "activation"]
        query = Query(words, {"n"}, ["L"], parameters)
    elif kind == "resnet":
        words = ["jacobian", rng.choice(("n:L", "n0,n:L", "n:L,m:M", "2,n:L", "n,m:L")), "--network",
                 f"resnet:{rng.randint(1, 3)}"]
        query = Query(words, {s for s in ("n0", "n", "m") if s in words[1].replace(":", ",").split(",")},
                      [s for s in ("L", "M") if s in words[1]], parameters)
        words += [w for w in model_options(rng, parameters) if w not in ("--head", "activation")]
    else:
        text, widths, depths = random_widths(rng)
        query = Query(["jacobian", text, *model_options(rng, parameters)], widths, depths, parameters)
    if rng.random() < 0.2 and "--variance" not in query.words:
        query.words += ["--alpha", "q"]
        parameters.add("q")
    if kind == "vanilla" and rng.random() < 0.2:
        query.words += ["--wrt", "input"]
    elif kind == "vanilla":
        return with_layer(rng, query)
    return query


def plain(rng):
    """Commands that take widths and little else."""
    command = rng.choice(("moments", "products", "scaling-factor", "hessian", "ntk", "report", "mup"))
    text, widths, depths = random_widths(rng, most_depths={"mup": 1, "report": 1}.get(command, 2))
    parameters = set()
    words = [command, text]
    covers = command not in ("report", "products", "moments") and not (command == "mup" and depths)
    if command in ("hessian", "ntk", "report"):
        words += model_options(rng, parameters)
    if command in ("hessian", "ntk", "mup"):
        parametrised(rng, words)
    return Query(words, widths, depths, parameters, covers=covers)


def wide_limit(rng):
    """Of wide layers, at any depth."""
    parameters = set()
    words = ["jacobian", rng.choice(("n:L,1", "n0,n:L,1", "n0,n:L", "2,n:L,3", "n,n:L,n", "n:L")), "--limit", "wide"]
    words += model_options(rng, parameters)
    widths = {t for t in words[1].replace(":", ",").split(",") if t in ("n", "n0")}
    return Query(words, widths, ["L"], parameters, covers=False)


PLACES = ("1", "2", "3", "L", "L-1", "L-2", "l", "l")
ENTRIES = ("z{%s}[i]^2", "(z{%s}[i]^2)^2", "h{%s}[i]^2", "h{%s}[1]^2", "h{%s}[1]^2*h{%s}[2]^2", "z{%s}[i]^2*z{%s}[j]^2")
DERIVATIVES = ("z[i;m]^2 where m in %s", "(z[i;m]^2)^2 where m in %s", "z[;m]^2", "(z[;m]^2)^2", "(D[m,n] loss)^2",
               "z[i;m,n]^2", "z{%s}[i;m]^2", "z{%s}[i;m,n]^2 where m in %s", "z[i;m]^2*z[i;n]^2 where m in %s, n in %s",
               "Var[z[;m]^2]", "E[(z[i]^2)^2]/E[z[i]^2]^2")


def expect(rng):
    template = rng.choice(ENTRIES + DERIVATIVES)
    places = [rng.choice(PLACES) for _ in range(template.count("%s"))]
    if "l" in places:
        places = [p if p in ("1", "2", "3", "l") else "l" for p in places]
    text = rng.choice(("n0,n:L", "n0,n:L,1", "n:L", "n,n:L,n", "2,n:L,2", "n0,n:L,m", "n0,3:L,1", "a,b:L,c,1"))
    tokens = text.replace(":", ",").split(",")
    parameters = set()
    words = ["expect", template % tuple(places), text, *model_options(rng, parameters)]
    widths = {t for t in tokens if t[0].isalpha() and t != "L"}
    return Query(words, widths, ["L"], parameters, {"l"} if "l" in places else set(),
                 covers="l" not in places, least_depth=3 if "L-2" in places else 2 if "L-1" in places else 1)


FORMS = ("A.9", "A.10", "A.11", "A.12", "A.13", "A.14", "A.15")


def form(rng):
    """All forms with the file beside this one, whose vectors have two coordinates."""
    middle = [rng.choice(("n", "m", "2", "3")) for _ in range(rng.randint(1, 2))]
    words = ["form", rng.choice(FORMS), ",".join(["2", "2", *middle, "2"]), "--with", FORM_FILE]
    if rng.random() < 0.3:
        words += ["--kurtosis", "9/5"]
    return Query(words, {t for t in middle if t.isalpha()}, [])


def loss_curve(rng):
    """Linear networks, whose loss is a formula in the width."""
    widths = rng.choice(("2,n,1", "2,n,n,1", "2,n,3,1", "2,n,m,1", "2,n:L,1", "2,n:L,m,1"))
    words = ["loss-curve", widths, "--data", "cos", "--gradient", "random", "--samples", "0", "--activation", "linear"]
    if rng.random() < 0.5:
        words += ["--scheme", rng.choice(("xavier", "he", "mean-field"))]
    else:
        parametrised(rng, words)
    return Query(words, {"n", "m"} & set(widths.replace(":", ",").split(",")), ["L"] if "L" in widths else [])


def trace(rng):
    """Traces of words: W is a x b, V is b x a, Q is square."""
    words = ("W W^T", "W V", "(W V)^2", "W W^T W V", "V V^T W^T W", "W^T W V W")
    square = ("Q Q", "Q Q^T", "Q^3", "Q W V", "(Q + Q^T)^2")
    traces = [f"tr({rng.choice(words + square)})" for _ in range(rng.randint(1, 2))]
    text = rng.choice(("%s", "%s", "Var[%s]", "E[%s]/E[tr(W W^T)]", "%s - c")) % " ".join(traces)
    a, b = rng.choice(("a", "2", "n")), rng.choice(("b", "3", "n"))
    shapes = {"W": (a, b), "V": (b, a), "Q": (a,)}
    shapes = {m: s for m, s in shapes.items() if m in text.replace("Var", "")}
    command = ["trace", text, "--shape", ",".join(f"{m}={','.join(s)}" for m, s in shapes.items())]
    law = rng.choice(("gaussian", "gaussian", "complex", "uniform", "Q=orthogonal"))
    if law == "Q=orthogonal" and "Q" not in shapes:
        law = "gaussian"
    if law != "gaussian":
        command += ["--law", law]
    if rng.random() < 0.3:
        command += ["--variance", rng.choice(("v", "1/2"))] if law != "Q=orthogonal" else []
    parameters = {"c"} if text.endswith("- c") else set()
    if "v" in command:
        parameters.add("v")
    return Query(command, {x for s in shapes.values() for x in s if x.isalpha()}, [], parameters)


def random_query(rng):
    return rng.choice((norm, norm, init, init, jacobian, jacobian, jacobian, wide_limit, plain, plain, plain, expect,
                       expect, expect, form, loss_curve, trace, trace))(rng)


@dataclasses.dataclass
class Numbers:
    """A query without symbols: the same in every format and with any number of threads, and as networks say."""

    words: list
    has_rows: bool = True  # CSV has a row for each result


def coord_check(rng):
    words = ["coord-check", f"n,n:{rng.randint(2, 3)},{rng.randint(1, 2)}", "--widths",
             ",".join(str(w) for w in sorted(rng.sample(range(1, 9), rng.randint(1, 3))))]
    if rng.random() < 0.6:
        words += ["--scheme", rng.choice(("mean-field", "he", "xavier", "standard", "ntk", "proportional"))]
    if rng.random() < 0.4:
        words += ["--eta", rng.choice(("1/2", "2", "1/10"))]
    if rng.random() < 0.4:
        words += rng.choice((["--input-squared-norm", "3"], ["--target-second-moment", "1/4"]))
    return Numbers(words, has_rows=False)


def data_options(rng):
    return ["--data", rng.choice(("cos", "checkerboard")), "--size", str(rng.randint(1, 3))]


def gated_loss_curve(rng):
    data = data_options(rng)
    inputs = "2" if "cos" in data else "3"
    hidden = [str(rng.randint(1, 4)) for _ in range(rng.randint(1, 2))]
    words = ["loss-curve", ",".join([inputs, *hidden, "1"]), *data, "--samples", "500",
             "--gradient", rng.choice(("random", "fixed")), "--activation",
             rng.choice(("relu", "leaky:1/2", "linear", "crelu-tied", "crelu-tied"))]
    if rng.random() < 0.4:
        words += ["--loss", rng.choice(("squared", "half-squared", "binary-cross-entropy"))]
    if rng.random() < 0.3:
        words += ["--scheme", rng.choice(("xavier", "mean-field", "he"))]
    return Numbers(words)


def numeric_form(rng):
    words = ["form", rng.choice(FORMS), ",".join(["2", "2", *rng.choices("23", k=rng.randint(1, 2)), "2"]), "--with",
             FORM_FILE]
    if rng.random() < 0.3:
        words += ["--law", rng.choice(("uniform", "rademacher", "laplace"))]
    return Numbers(words)


def training(rng):
    """The command line of a training run that loss-curve can read the weights of."""
    data = data_options(rng)
    inputs = "2" if "cos" in data else "3"
    hidden = [str(rng.randint(1, 5)) for _ in range(rng.randint(1, 3))]
    words = ["train", ",".join([inputs, *hidden, "1"]), *data, "--epochs", str(rng.randint(1, 6)), "--rate",
             rng.choice(("1/10", "1/100", "1e-3"))]
    if rng.random() < 0.5:
        words += ["--optimiser", rng.choice(("momentum", "rmsprop", "adam"))]
    if rng.random() < 0.4:
        words += ["--activation", rng.choice(("leaky:0.5", "identity", "crelu"))]
    if rng.random() < 0.3:
        words += ["--loss", rng.choice(("half-squared", "binary-cross-entropy"))]
    if rng.random() < 0.3:
        words += ["--batch-size", "2"]
    if rng.random() < 0.3:
        words += ["--clip", rng.choice(("norm:1", "coordinate:0.1", "fixed-norm:1"))]
    return words


def small_widths(rng, least=2, most=4):
    return ",".join(str(rng.randint(1, 4)) for _ in range(rng.randint(least, most)))


def orthogonal(rng):
    words = ["norm", small_widths(rng), "--law", "orthogonal", *model_options(rng, set())]
    if rng.random() < 0.4:
        words += ["--order", str(rng.randint(1, 3))]
    return Numbers([w.replace("leaky:s", "leaky:2").replace("v", "3") if w in ("leaky:s", "v") else w for w in words])


def gain(rng):
    units = rng.sample(("relu", "linear", "tanh", "sigmoid", "softplus", "silu", "gelu", "elu", "selu", "erf", "sin",
                        "leaky:1/3", "leaky:-2"), rng.randint(1, 3))
    return Numbers(["gain", *units, *(["--variance", rng.choice(("2", "1/10", "9"))] if rng.random() < 0.5 else [])])


def depth_rules(rng):
    words = ["depth-rules", small_widths(rng, 3, 3), "--depths", rng.choice(("1,2", "2,4", "3"))]
    for option, choices in (("--network", ("resnet:1", "resnet:2")), ("--multiplier", ("1/2", "2")),
                            ("--eta", ("1/10",)), ("--activation", ("linear", "leaky:1/2"))):
        if rng.random() < 0.3:
            words += [option, rng.choice(choices)]
    return Numbers(words)


def transfer(rng):
    """The hidden layers change, input and output do not."""
    first, last = rng.randint(1, 3), rng.randint(1, 2)
    words = ["transfer", *(f"{first},{rng.randint(1, 4)}:{rng.randint(1, 3)},{last}" for _ in range(2))]
    if rng.random() < 0.4:
        words += ["--rate", rng.choice(("1/10", "3"))]
    if rng.random() < 0.3:
        words += ["--activation", rng.choice(("linear", "leaky:1/2"))]
    parametrised(rng, words)
    return Numbers(words)


def random_numbers(rng):
    return rng.choice((coord_check, gated_loss_curve, gated_loss_curve, numeric_form, orthogonal, gain, depth_rules,
                       transfer))(rng)


def solved(rng):
    """(words, symbol) of a question for a width or a depth, without --of and --target."""
    command = rng.choice(("norm", "jacobian", "hessian", "ntk"))
    symbol, widths = rng.choice((("n", f"{rng.randint(1, 3)},n:{rng.randint(1, 3)},{rng.randint(1, 3)}"),
                                 ("L", f"{rng.randint(1, 3)},{rng.randint(1, 9)}:L,{rng.randint(1, 3)}")))
    words = [command, widths]
    if rng.random() < 0.5:
        words += ["--activation", rng.choice(("linear", "leaky:1/2", "leaky:2"))]
    return words, symbol


def claimed(rng):
    """A command whose quantities claim takes, without options that it does not."""
    query = rng.choice((norm, init, plain, jacobian))(rng)
    if "--layer" in query.words:
        at = query.words.index("--layer")
        del query.words[at:at + 2]
    return query


def search(rng):
    """The command line of a search for the largest rate."""
    words = ["max-rate", f"3,{rng.randint(1, 6)},1", "--data", "checkerboard", "--size", str(rng.randint(2, 4)), "--loss",
             "binary-cross-entropy", "--batch-size", str(rng.randint(1, 4)), "--epochs",
             str(rng.randint(1, 5)), "--halvings", "5"]
    for option, choices in (("--threshold", ("3/5", "9/10")), ("--optimiser", ("momentum", "adam")),
                            ("--activation", ("tanh", "leaky:0.1")), ("--networks", ("2",))):
        if rng.random() < 0.4:
            words += [option, rng.choice(choices)]
    return words


def random_leg(rng):
    """Small networks in numbers: a formula, the strands that give the same, which are sampled too."""
    widths = [str(rng.randint(1, 3)) for _ in range(rng.randint(2, 4))]
    text = ",".join(widths)
    options = []
    if rng.random() < 0.5:
        options += ["--activation", rng.choice(("linear", "leaky:1/2"))]
    if rng.random() < 0.3:
        options += ["--scheme", rng.choice(("xavier", "standard"))]
    if rng.random() < 0.1:  # one step of muP: a width by --widths, and typed
        n = rng.randint(1, 4)
        return Leg(["coord-check", "n,n:2,1", "--widths", str(n)], "preactivation_std", ("2", str(n)),
                   ["coord-check", f"{n},{n}:2,1"], other="preactivation_std")
    layers = len(widths) - 1
    k = rng.randint(1, layers)
    depth = str(layers)
    return rng.choice((
        Leg(["norm", text, *options], "squared_norm_moment", (depth, "1"), ["expect", "z[i]^2", text, *options]),
        Leg(["norm", text, *options], "squared_norm_moment", (depth, "2"), ["expect", "(z[i]^2)^2", text, *options]),
        Leg(["jacobian", text, *options], "jacobian_mean", (str(k),),
            ["expect", f"z[i;m]^2 where m in {k}", text, *options]),
        Leg(["jacobian", text, *options], "jacobian_second_moment", (str(k),),
            ["expect", f"(z[i;m]^2)^2 where m in {k}", text, *options]),
        Leg(["ntk", text, *options], "ntk_trace_mean", (), ["expect", "z[i;m]^2", text, *options]),
        Leg(["ntk", text, *options], "ntk_trace_second_moment", (), ["expect", "(z[i;m]^2)^2", text, *options]),
        Leg(["hessian", text, *options], "hessian_frobenius_squared", (),
            ["expect", "(D[m,n] loss)^2", text, *options]),
    ))
