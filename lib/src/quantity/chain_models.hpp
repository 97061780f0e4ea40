// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/model/chains.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/limit_rows.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/depth_sum.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "question/model.hpp"
#include "question/model_statement.hpp"

namespace isserlis::quantity {

/// Of commands that go from layer to layer: weight layers with numbers, weight layers with symbols, and up to where all
/// of them are listed.
inline constexpr std::uint64_t most_layers_of_a_chain = 20'000;
inline constexpr std::uint64_t most_layers_in_symbols = 500;
inline constexpr std::uint64_t most_listed_layers = 500;

/// The number of weight layers.
/// Errors  UnsupportedError at symbolic depth and above the limit; `who` is the command or parameter that has it.
[[nodiscard]] std::uint64_t checked_depth(Numeric const& net, std::string const& who);
[[nodiscard]] std::uint64_t checked_depth(Symbolic const& net, std::string const& who);

/// Errors  UnsupportedError for `check` beyond `most_listed_layers`: the moments of deep networks are those of very
///         rare ones.
void require_sampled_depth(Session const& session, std::uint64_t layers);

/// Which of the layers 1 .. `layers` to print: that of `layer`, else all of them, beyond `most_listed_layers` the last
/// `tail`, which the answer then says: "of .. `which` printed".
[[nodiscard]] std::vector<std::uint64_t> listed_layers(Session const& session, std::uint64_t layers, std::uint64_t tail,
                                                       std::string const& which, Answer& answer);

/// Errors  DomainError for a negative label factor, which multiplies a square; it names the parameter as typed in `text`.
void require_label_factors(NumericModel const& model, ModelText const& text);
void require_label_factors(SymbolicModel const& model, ModelText const& text);

/// Calls f with the model of a network with label factors, which it states and checks. Where its formulas do not serve
/// an activation or law, the error names the `query` that the strand engine may answer.
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
        if (at != "activation" && at != "law") throw;
        throw UnsupportedError(reason(e) + "; isserlis expect '" + query + "' may serve it", at);
    }
}

/// " at fixed depth": where the width goes to infinity alone, not with the depth that it is at once.
[[nodiscard]] std::string beside_depth(DepthSymbols const& symbols);

/// Adds the leading term, width and then depth to infinity, under the name; where there is one width or one run.
void add_leading_term(char const* name, RationalFunction const& x, Symbolic const& net, Answer& answer);

/// Adds the limit as the width goes to infinity at fixed depth, and that as width n and depth L do with L = b n; each
/// where it exists: one symbolic width, a symbolic depth.
void add_wide_limit(LimitNames const& names, RationalFunction const& x, Symbolic const& net, Answer& answer);
void add_double_limit(LimitNames const& names, RationalFunction const& x, Symbolic const& net, Answer& answer);

}  // namespace isserlis::quantity
