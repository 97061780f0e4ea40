// SPDX-License-Identifier: MIT
#include "question/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <isserlis/error.hpp>
#include <isserlis/question/nearest_name.hpp>
#include <map>
#include <string_view>

#include "question/model.hpp"

namespace isserlis::quantity {
namespace {

/// "Leaky_ReLU" and "leaky-relu" are one name.
std::string plain(std::string_view text) {
    std::string out;
    for (char const c : text) {
        if (c != '-' && c != '_' && c != ' ') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return out;
}

struct ActivationName {
    char const* name;  ///< as `plain` leaves it
    ActivationKind kind;
};
constexpr std::array<ActivationName, 10> activations = {{{"relu", ActivationKind::relu},
                                                         {"rectifier", ActivationKind::relu},
                                                         {"linear", ActivationKind::linear},
                                                         {"identity", ActivationKind::linear},
                                                         {"none", ActivationKind::linear},
                                                         {"leaky", ActivationKind::leaky},
                                                         {"leakyrelu", ActivationKind::leaky},
                                                         {"lrelu", ActivationKind::leaky},
                                                         {"crelu", ActivationKind::crelu},
                                                         {"crelutied", ActivationKind::crelu_tied}}};

constexpr std::array<char const*, 20> not_homogeneous = {
    "gelu", "tanh", "sigmoid", "logistic", "silu",     "swish", "elu",      "selu",    "celu", "softplus",
    "mish", "erf",  "sin",     "cos",      "softsign", "relu6", "hardtanh", "softmax", "glu",  "hardsigmoid"};

constexpr char const* choices = "choose relu, linear, leaky:S (such as leaky:1/100), crelu or crelu-tied";

[[noreturn]] void refuse_activation(std::string const& text, std::string const& name) {
    std::string const what = "`activation`: '" + printable(text) + "' is ";
    if (std::find(not_homogeneous.begin(), not_homogeneous.end(), name) != not_homogeneous.end()) {
        throw UnsupportedError(
            what + "not positively homogeneous, f(cx) = c f(x) for c > 0, as all formulas here need; " + choices +
                (smooth_unit(name) ? "; what " + name + " makes of a normal pre-activation says the command gain" : ""),
            "activation");
    }
    if (name == "prelu" || name == "rrelu") {
        throw ParseError(what +
                             "a leaky ReLU whose slope is learned or drawn; give the slope that it starts with, "
                             "such as leaky:1/4",
                         "activation");
    }
    if (name == "abs") throw ParseError(what + "leaky ReLU of slope -1; write leaky:-1", "activation");
    throw ParseError(what + "not an activation; " + choices, "activation");
}

struct SchemeName {
    char const* name;  ///< as `plain` leaves it
    Scheme scheme;
    std::optional<LawKind> law;
};
/// Names of exactly these rules. Those that end in normal or uniform are PyTorch's, and fix the law.
constexpr std::array<SchemeName, 9> same_schemes = {{
    {"kaiming", Scheme::he, std::nullopt},
    {"kaimingnormal", Scheme::he, LawKind::gaussian},
    {"kaiminguniform", Scheme::he, LawKind::uniform},
    {"glorot", Scheme::xavier_average, std::nullopt},
    {"xaviernormal", Scheme::xavier_average, LawKind::gaussian},
    {"xavieruniform", Scheme::xavier_average, LawKind::uniform},
    {"glorotuniform", Scheme::xavier_average, LawKind::uniform},
    {"torch", Scheme::pytorch, std::nullopt},
    {"pytorchdefault", Scheme::pytorch, std::nullopt},
}};

struct OtherScheme {
    char const* name;
    char const* why;
};
/// Names of rules that are no scheme here, with what comes nearest.
constexpr std::array<OtherScheme, 7> other_schemes = {{
    {"henormal",
     "cuts its normals off in Keras and JAX, a law that is not served; he has the variance 1/(g2*fan_in) "
     "with whole normals"},
    {"heuniform",
     "has the variance 2/fan_in whatever the activation; write `variance` 2/fan_in `law` uniform, or for "
     "ReLU `scheme` kaiming_uniform"},
    {"glorotnormal",
     "cuts its normals off in Keras and JAX, a law that is not served; xavier-average has the variance "
     "2/(fan_in + fan_out) with whole normals"},
    {"lecunnormal",
     "cuts its normals off in Keras and JAX, a law that is not served; xavier has the variance 1/fan_in "
     "with whole normals"},
    {"orthogonal", "is a law and no variance; isserlis norm serves `law` orthogonal"},
    {"truncatednormal", "is a law that is not served; `kurtosis` gives a law by its fourth moment"},
    {"mup", "is a command; the scheme of its networks is mean-field"},
}};

[[noreturn]] void refuse_scheme(std::string const& text, std::string const& name) {
    for (auto const& other : other_schemes) {
        if (name == other.name) throw ParseError("`scheme`: '" + printable(text) + "' " + other.why, "scheme");
    }
    std::string known;
    std::vector<std::string> names;
    for (auto const& s : schemes) {
        known += (known.empty() ? "" : ", ") + std::string(s.name);
        names.emplace_back(s.name);
    }
    for (auto const& s : same_schemes) names.emplace_back(s.name);
    auto const near = nearest_name(name, names);
    throw ParseError("`scheme`: '" + printable(text) + "' is not a scheme; " +
                         (near ? "did you mean '" + *near + "'? They are " : "choose one of ") + known,
                     "scheme");
}

}  // namespace

char const* const unit_choices =
    "relu, leaky:S, linear, tanh, sigmoid, softplus, silu, gelu, elu, selu, erf, sin or cos";

std::optional<SmoothUnit> smooth_unit(std::string const& name) {
    static std::map<std::string, SmoothUnit> const names = {
        {"tanh", SmoothUnit::tanh},         {"sigmoid", SmoothUnit::sigmoid}, {"logistic", SmoothUnit::sigmoid},
        {"softplus", SmoothUnit::softplus}, {"silu", SmoothUnit::silu},       {"swish", SmoothUnit::silu},
        {"gelu", SmoothUnit::gelu},         {"elu", SmoothUnit::elu},         {"selu", SmoothUnit::selu},
        {"erf", SmoothUnit::erf},           {"sin", SmoothUnit::sin},         {"cos", SmoothUnit::cos}};
    auto const at = names.find(name);
    return at == names.end() ? std::nullopt : std::optional(at->second);
}

NamedActivation named_activation(std::string const& text) {
    auto const colon = text.find(':');
    std::string const name = plain(std::string_view(text).substr(0, colon));
    auto const at = std::find_if(activations.begin(), activations.end(), [&](auto const& a) { return name == a.name; });
    if (at == activations.end()) refuse_activation(text, name);
    bool const leaky = at->kind == ActivationKind::leaky;
    if (leaky && colon == std::string::npos) {
        throw ParseError(
            "`activation`: '" + printable(text) + "' needs its slope, such as leaky:1/100, the default of PyTorch",
            "activation");
    }
    if (!leaky && colon != std::string::npos)
        throw ParseError("`activation`: '" + printable(text) + "' has a slope, and only leaky:S takes one",
                         "activation");
    NamedActivation out{.kind = at->kind, .slope = {}};
    if (leaky) out.slope = text.substr(colon + 1);
    return out;
}

Gate<Rational> gate_of_unit(std::string const& word) {
    auto const activation = [&] {
        try {
            return named_activation(word);
        } catch (Error const&) {
            throw ParseError("'" + printable(word) + "' is not a unit; choose " + unit_choices, word);
        }
    }();
    switch (activation.kind) {
        case ActivationKind::linear: return Gate<Rational>::open();
        case ActivationKind::relu: return {};
        case ActivationKind::leaky:
            try {
                return {Rational(1), rational_at(Expression::parse(*activation.slope, word), {}, word)};
            } catch (Error const&) {
                throw ParseError("'" + printable(word) + "': a number is required as its slope", word);
            }
        case ActivationKind::crelu:
        case ActivationKind::crelu_tied: break;
    }
    throw UnsupportedError(
        "'" + printable(word) + "' makes two features of a pre-activation; ask for relu, which each of them is", word);
}

NamedScheme named_scheme(std::string const& text) {
    std::string const name = plain(text);
    for (auto const& s : schemes) {
        if (name == plain(s.name)) return {.scheme = s.scheme, .law = {}};
    }
    for (auto const& s : same_schemes) {
        if (name == s.name) return {.scheme = s.scheme, .law = s.law};
    }
    refuse_scheme(text, name);
}

}  // namespace isserlis::quantity
