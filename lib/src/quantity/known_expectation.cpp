// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <map>

#include "quantity/known_queries.hpp"
#include "quantity/observable_check.hpp"

namespace isserlis::quantity {
namespace {

constexpr double most_derivatives = 4e6;  ///< entries of the largest tensor of derivatives of one network
constexpr double most_work = 1e8;         ///< multiplications a network, where C++ takes one direction after another

/// An observable as an expression of Python or C++, by the functions of the test's own.
class ProgramText {
public:
    ProgramText(std::map<std::string, Surd> const& parameters, std::size_t layers, bool is_cpp)
        : parameters_(parameters), layers_(layers), is_cpp_(is_cpp) {}

    std::string operator()(Observable const& o) {
        using Kind = Observable::Kind;
        switch (o.kind) {
            case Kind::number: return made("number", fraction(o.number));
            case Kind::parameter: return made("number", number_text(to_double(parameters_.at(o.name))));
            case Kind::output: return output(o);
            case Kind::target: return made("target", neuron(o));
            case Kind::constant:
                throw UnsupportedError("`emit_test`: tests of constants from `with` are not written", "emit_test");
            case Kind::entry:
            case Kind::trace:
                throw UnsupportedError("`emit_test`: tests of J and of words in matrices are not written", "emit_test");
            case Kind::loss: return made("loss", "");
            case Kind::derivative: return derivative(o, (*this)(o.operands[0]));
            case Kind::group: return term(o.operands[0]);
            case Kind::power:
            case Kind::product: return "product(" + factors(o) + ")";
            case Kind::sum: break;
        }
        std::string out = is_cpp_ ? "total({" : "total([";
        for (std::size_t k = 0; k < o.signs.size(); ++k) out += (k == 0 ? "" : ", ") + std::to_string(o.signs[k]);
        out += is_cpp_ ? "}" : "]";
        for (auto const& x : o.operands) out += ", " + term(x);
        return out + ")";
    }

    /// With what occurs twice in it summed.
    std::string term(Observable const& o) {
        std::string const out = (*this)(o);
        return out.starts_with("product(") || out.starts_with("total(") ? out : "product(" + out + ")";
    }

    /// The letter that stands for a neuron's letter or a label: einsum has letters of one character.
    std::string letter(std::string const& name) {
        constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        auto const at = letters_.try_emplace(name, letters_.size()).first->second;
        if (at >= letters.size()) throw UnsupportedError("`emit_test`: more than 52 letters and labels", "emit_test");
        char const* const quote = is_cpp_ ? "'" : "\"";
        return quote + std::string(1, letters[at]) + quote;
    }
    /// The letters of derivatives.
    [[nodiscard]] std::string const& labels() const { return labels_; }
    /// Where a label may sit.
    std::string place(LabelRestriction const& r) {
        return is_cpp_ ? "{" + letter(r.label) + ", {" + r.first + ", " + r.last + "}}"
                       : letter(r.label) + ": (" + r.first + ", " + r.last + ")";
    }

private:
    [[nodiscard]] std::string made(std::string const& name, std::string const& what) const {
        return is_cpp_ ? name + "{" + what + "}" : name + "(" + what + ")";
    }
    /// "3/2"; not to be divided as whole numbers.
    [[nodiscard]] std::string fraction(std::string const& number) const {
        auto const slash = number.find('/');
        if (!is_cpp_) return number;
        return slash == std::string::npos ? number + ".0"
                                          : number.substr(0, slash) + ".0" + number.substr(slash) + ".0";
    }
    std::string neuron(Observable const& o) {
        if (o.indices.empty()) return "1";  // of the only output
        auto const& index = o.indices[0];
        return index.letter.empty() ? std::to_string(index.fixed) : letter(index.letter);
    }
    std::string derivative(Observable const& o, std::string const& of) {
        std::string labels;
        for (auto const& label : o.labels) {
            std::string const quoted = letter(label);
            labels += (labels.empty() ? "" : ", ") + quoted;
            if (labels_.find(quoted[1]) == std::string::npos) labels_ += quoted[1];
        }
        return is_cpp_ ? "derivative<" + labels + ">(" + of + ")" : "derivative([" + labels + "], " + of + ")";
    }
    /// Side by side, powers written out: what occurs twice among all of them is summed.
    std::string factors(Observable const& o) {
        if (o.kind == Observable::Kind::product) {
            std::string out;
            for (auto const& x : o.operands) out += (out.empty() ? "" : ", ") + factors(x);
            return out;
        }
        if (o.kind != Observable::Kind::power) return (*this)(o);
        std::string const base = factors(o.operands[0]);
        std::string out = o.exponent == 0 ? made("number", "1") : base;
        for (unsigned k = 1; k < o.exponent; ++k) out += ", " + base;
        return out;
    }
    std::string output(Observable const& o) {
        if (!o.input.empty())
            throw UnsupportedError("`emit_test`: tests of several inputs are not written", "emit_test");
        std::string const layer = o.node.empty() ? std::to_string(layers_) : o.node;
        std::string const activated = is_cpp_ ? (o.activated ? "true" : "false") : (o.activated ? "True" : "False");
        std::string const z = made("output", layer + ", " + activated + ", " + neuron(o));
        return o.labels.empty() ? z : derivative(o, z);
    }

    std::map<std::string, Surd> const& parameters_;
    std::size_t layers_;
    bool is_cpp_;
    std::map<std::string, std::size_t> letters_;
    std::string labels_;
};

/// The derivatives that are taken of one another.
std::size_t depth_of_derivatives(Observable const& o) {
    std::size_t inner = 0;
    for (auto const& x : o.operands) inner = std::max(inner, depth_of_derivatives(x));
    return inner + o.labels.size();
}

/// Of them, those that C++ takes one direction after another: all but the first, of an output or the loss.
std::size_t directions(Observable const& o) {
    using Kind = Observable::Kind;
    std::size_t inner = 0;
    for (auto const& x : o.operands) inner = std::max(inner, directions(x));
    bool const backwards = o.kind == Kind::output || (o.kind == Kind::derivative && o.operands[0].kind == Kind::loss);
    return inner + o.labels.size() - (backwards && !o.labels.empty() ? 1 : 0);
}

/// The most weights for which a test ends in minutes.
double most_weights_of(Observable const& o, bool is_cpp) {
    double const order = static_cast<double>(depth_of_derivatives(o));
    double const most = order > 1 ? std::pow(most_derivatives, 1 / order) : most_derivatives;
    double const forward = is_cpp ? static_cast<double>(directions(o)) : 0;
    return forward > 0 ? std::min(most, std::pow(most_work * std::exp2(-forward), 1 / (1 + forward))) : most;
}

}  // namespace

void emit_expectation_test(ExpectRequest const& request, NumericModel const& model, ObservableSetting<Surd> setting,
                           Session const& session, Answer& answer) {
    if (!session.test) return;
    auto const* observable = request.query.single_mean();
    if (observable == nullptr)
        throw UnsupportedError("`emit_test`: a test samples the mean of one observable; leave E, Var and Cov out",
                               "emit_test");
    if (request.model.wiring != Wiring::vanilla)
        throw UnsupportedError("`emit_test`: tests of fully connected networks are written", "network");
    Query const query = request.query.restricted(*observable);
    std::size_t layers = 0;
    double weights = 0;
    for (auto const& run : model.net().layers) {
        layers += run.count;
        weights += static_cast<double>(run.count) * to_double(Surd(run.fan_in * run.fan_out));
    }
    bool const is_cpp = session.test.language == "cpp";
    double const most = most_weights_of(query.observable, is_cpp);
    if (weights > most) {
        throw UnsupportedError("`emit_test`: the derivatives of this observable are served up to " +
                                   std::to_string(static_cast<std::uint64_t>(most)) + " weights",
                               "emit_test");
    }
    // As the test draws them.
    setting.target_third = Surd(0);
    setting.target_fourth = setting.target_second * setting.target_second / model.graph().output_width();
    KnownQuery known{.name = "value", .query = {}, .exact = expectation(query, model.graph(), setting)};
    auto const second = exact_second_moment(query, model, setting, answer);
    known.deviation = second ? deviation_of(*second, known.exact) : std::nan("");  // too many strands
    ProgramText text(setting.parameters, layers, is_cpp);
    known.program = text.term(query.observable);
    known.labels = text.labels();
    for (auto const& r : query.restrictions) known.places += (known.places.empty() ? "" : ", ") + text.place(r);
    emit_test(KnownAnswer::Kind::expect, model, {known}, session, answer);
}

}  // namespace isserlis::quantity
