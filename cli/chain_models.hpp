// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/ring/exp_polynomial.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model.hpp"
#include "model_statement.hpp"

namespace isserlis::cli {

/// Only rationals occur in the network.
[[nodiscard]] bool is_rational(NumericModel const& model);

/// The network and its numbers over the rationals.
[[nodiscard]] Model<Rational, std::uint64_t> over_rationals(NumericModel const& model);

/// The same with other layers, such as those of `layer_by_layer`.
[[nodiscard]] Model<Rational, std::uint64_t> over_rationals(NumericModel const& model, Numeric const& layers);

/// One run per layer; nothing at symbolic depth or above `most` layers.
[[nodiscard]] std::optional<Numeric> layer_by_layer(Numeric const& net, std::uint64_t most);
[[nodiscard]] std::optional<FullyConnected<RationalFunction, std::uint64_t>> layer_by_layer(Symbolic const& net,
                                                                                            std::uint64_t most);

/// Of commands that go from layer to layer: weight layers with numbers, weight layers with symbols, and up to where all
/// of them are listed.
inline constexpr std::uint64_t most_layers_of_a_chain = 20'000;
inline constexpr std::uint64_t most_layers_in_symbols = 500;
inline constexpr std::uint64_t most_listed_layers = 500;

/// The number of weight layers.
/// Errors  UnsupportedError at symbolic depth and above the limit; `who` is the command or option that has it.
[[nodiscard]] std::uint64_t checked_depth(Numeric const& net, std::string const& who);
[[nodiscard]] std::uint64_t checked_depth(Symbolic const& net, std::string const& who);

/// Errors  UnsupportedError for --check beyond `most_listed_layers`: the moments of deep networks are those of very
///         rare ones.
void require_sampled_depth(Session const& session, std::uint64_t layers);

/// Which of the layers 1 .. `layers` to print: that of --layer, else all of them, beyond `most_listed_layers` the last
/// `tail`, which the answer then says: "of .. `which` printed".
[[nodiscard]] std::vector<std::uint64_t> listed_layers(Session const& session, std::uint64_t layers, std::uint64_t tail,
                                                       std::string const& which, Answer& answer);

/// Errors  DomainError for a negative label factor, which multiplies a square; it names the option as typed in `text`.
void require_label_factors(NumericModel const& model, ModelText const& text);
void require_label_factors(SymbolicModel const& model, ModelText const& text);

/// Calls f with the model of a network with label factors, which it states and checks. Where its formulas do not serve
/// an activation, head or law, the error names the `query` that the strand engine may answer.
template <class F>
void with_labelled_model(ModelText const& text, Bindings const& bindings, char const* query, Answer& answer,
                         F const& f) {
    state_label_factors(text, answer);
    try {
        with_model(text, bindings, [&](auto const& model) {
            require_label_factors(model, text);
            f(model);
        });
    } catch (UnsupportedError const& e) {
        std::string const at = e.argument();
        if (at != "activation" && at != "head" && at != "law") throw;
        throw UnsupportedError(std::string(e.what()) + "; isserlis expect '" + query + "' may serve it", at);
    }
}

/// The name of the symbol that counts the layers of the one repeated run, if the depth is symbolic, and its width.
struct DepthSymbols {
    std::string width;
    std::string depth;
};
[[nodiscard]] std::optional<DepthSymbols> depth_symbols(Symbolic const& net);

/// The same formula as a sum over eigenvalues to the power of the depth.
[[nodiscard]] ExpPolynomial by_depth(RationalFunction const& x);

/// A formula the way it is short: one fraction, or one summand for each eigenvalue at symbolic depth.
[[nodiscard]] Value tidy(RationalFunction const& x);
/// What is too large to be merged is a sum of positive products.
[[nodiscard]] bool is_certainly_zero(RationalFunction const& x);
[[nodiscard]] inline bool is_certainly_zero(Surd const& x) { return x.is_zero(); }
[[nodiscard]] inline Value tidy(Surd const& x) { return x; }

/// sqrt(square) and factor/sqrt(square): one surd or formula when short, else certified digits, of which `form` says
/// what they are.
[[nodiscard]] Value root(Surd const& square, std::string const& form);
[[nodiscard]] Value root(RationalFunction const& square, std::string const& form);
[[nodiscard]] Value over_root(int factor, Surd const& square, std::string const& form);
[[nodiscard]] Value over_root(int factor, RationalFunction const& square, std::string const& form);

/// Adds the leading term, width and then depth to infinity, under the name; where there is one width or one run.
void add_leading_term(char const* name, RationalFunction const& x, Symbolic const& net, Answer& answer);

/// Adds the leading term as the width goes to infinity at fixed depth, and that as width n and depth L do with L = b n;
/// each where it exists: one symbolic width, a symbolic depth.
void add_wide_limit(char const* name, RationalFunction const& x, Symbolic const& net, Answer& answer);
void add_double_limit(char const* name, RationalFunction const& x, Symbolic const& net, Answer& answer);

}  // namespace isserlis::cli
