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

/// An observable as a Python expression, by the functions of the test's own that `known_answer_python` has.
class PythonText {
public:
    PythonText(std::map<std::string, Surd> const& parameters, std::size_t layers)
        : parameters_(parameters), layers_(layers) {}

    std::string operator()(Observable const& o) {
        using Kind = Observable::Kind;
        switch (o.kind) {
            case Kind::number: return "number(" + o.number + ")";
            case Kind::parameter: return "number(" + number_text(to_double(parameters_.at(o.name))) + ")";
            case Kind::output: return output(o);
            case Kind::target: return "target(" + neuron(o) + ")";
            case Kind::constant:
                throw UnsupportedError("`emit_test`: tests of constants from `with` are not written", "emit_test");
            case Kind::loss: return "loss()";
            case Kind::derivative: return "derivative(" + labels(o) + ", " + (*this)(o.operands[0]) + ")";
            case Kind::group: return term(o.operands[0]);
            case Kind::power:
            case Kind::product: return "product(" + factors(o) + ")";
            case Kind::sum: break;
        }
        std::string out = "total([";
        for (std::size_t k = 0; k < o.signs.size(); ++k) out += (k == 0 ? "" : ", ") + std::to_string(o.signs[k]);
        out += "]";
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
        return "\"" + std::string(1, letters[at]) + "\"";
    }

private:
    std::string neuron(Observable const& o) {
        if (o.indices.empty()) return "1";  // of the only output
        auto const& index = o.indices[0];
        return index.letter.empty() ? std::to_string(index.fixed) : letter(index.letter);
    }
    std::string labels(Observable const& o) {
        std::string out;
        for (auto const& label : o.labels) out += letter(label) + ", ";
        return "[" + out.substr(0, out.empty() ? 0 : out.size() - 2) + "]";
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
        std::string out = o.exponent == 0 ? "number(1)" : base;
        for (unsigned k = 1; k < o.exponent; ++k) out += ", " + base;
        return out;
    }
    std::string output(Observable const& o) {
        if (!o.input.empty())
            throw UnsupportedError("`emit_test`: tests of several inputs are not written", "emit_test");
        std::string const layer = o.node.empty() ? std::to_string(layers_) : o.node;
        std::string const z = "output(" + layer + ", " + (o.activated ? "True" : "False") + ", " + neuron(o) + ")";
        return o.labels.empty() ? z : "derivative(" + labels(o) + ", " + z + ")";
    }

    std::map<std::string, Surd> const& parameters_;
    std::size_t layers_;
    std::map<std::string, std::size_t> letters_;
};

/// The derivatives that are taken of one another.
std::size_t depth_of_derivatives(Observable const& o) {
    std::size_t inner = 0;
    for (auto const& x : o.operands) inner = std::max(inner, depth_of_derivatives(x));
    return inner + o.labels.size();
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
    for (auto const& run : model.net.layers) {
        layers += run.count;
        weights += static_cast<double>(run.count) * to_double(Surd(run.fan_in * run.fan_out));
    }
    std::size_t const order = depth_of_derivatives(query.observable);
    double const most = std::pow(most_derivatives, 1 / std::max(1.0, static_cast<double>(order)));
    if (order > 1 && weights > most) {
        throw UnsupportedError("`emit_test`: " + std::to_string(order) +
                                   " derivatives of one another are served up to " +
                                   std::to_string(static_cast<std::uint64_t>(most)) + " weights",
                               "emit_test");
    }
    // As the test draws them.
    setting.target_fourth = setting.target_second * setting.target_second / model.graph.output_width();
    KnownQuery known{.name = "value", .query = {}, .exact = exact_expectation(query, model.graph, setting)};
    auto const second = exact_second_moment(query, model, setting, answer);
    known.deviation = second ? deviation_of(*second, known.exact) : std::nan("");  // too many strands
    PythonText text(setting.parameters, layers);
    known.program = text.term(query.observable);
    for (auto const& r : query.restrictions)
        known.places += text.letter(r.label) + ": (" + r.first + ", " + r.last + "), ";
    if (!known.places.empty()) known.places.resize(known.places.size() - 2);
    emit_test(KnownAnswer::Kind::expect, model, {known}, session, answer);
}

}  // namespace isserlis::quantity
