// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/network/scheme.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/ring/parse.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "session.hpp"

namespace isserlis::cli {

using Numeric = FullyConnected<Surd, std::uint64_t>;
using Symbolic = FullyConnected<RationalFunction, Exponent>;

/// The model options as typed, parsed but without values for their symbols.
struct ModelText {
    std::vector<WidthItem> widths;
    std::optional<Expression> slope;
    std::string slope_text;  ///< as typed
    ActivationKind activation = ActivationKind::relu;
    bool gated_head = false;
    std::optional<Scheme> scheme;       ///< none when --variance is given
    std::vector<Expression> variances;  ///< one for all layers, or one per weight layer
    std::optional<LawKind> law;         ///< none when kurtoses are given
    std::string kurtosis_option;        ///< the option that lists them, for messages
    std::vector<Expression> kurtoses;   ///< one for all layers, or one per weight layer
    std::vector<Expression> input;
    std::optional<Expression> squared_norm;
    std::optional<Expression> fourth;
    std::optional<Expression> data_scale;  ///< --c, the constant of standardised data
    monte_carlo::TieRule ties = monte_carlo::TieRule::refuse;

    /// All symbols that occur anywhere.
    [[nodiscard]] std::set<std::string> symbols() const;
};

/// Which model options a command offers; the others are unknown to it.
struct ModelOptions {
    bool activation = false;
    bool variance = false;
    bool law = false;
    bool input = false;
};

[[nodiscard]] std::vector<OptionText> option_texts(ModelOptions const& which);

/// Reads the widths and the model options. `kurtosis_option` names the option that lists fourth moments.
[[nodiscard]] ModelText read_model(Arguments const& arguments, std::string const& widths,
                                   std::string const& kurtosis_option = "--kurtosis");

/// A model with values: what formulas are evaluated on.
template <class R, class Count>
struct Model {
    FullyConnected<R, Count> net;
    R squared_norm = R(1);    ///< |x|^2
    std::optional<R> fourth;  ///< sum x_i^4, when it is known
    R data_scale = R(1);      ///< c of standardised data
    std::vector<R> input;     ///< the coordinates, when they are given
    monte_carlo::TieRule ties = monte_carlo::TieRule::refuse;

    /// Every weight is known to be Gaussian.
    [[nodiscard]] bool is_gaussian() const {
        for (auto const& run : net.layers) {
            if (run.law.kind != LawKind::gaussian) return false;
        }
        return true;
    }
};

using NumericModel = Model<Surd, std::uint64_t>;
using SymbolicModel = Model<RationalFunction, Exponent>;

/// Errors  DomainError naming the option whose value is impossible.
[[nodiscard]] NumericModel numeric_model(ModelText const& text, Bindings const& bindings);
[[nodiscard]] SymbolicModel symbolic_model(ModelText const& text, Bindings const& bindings);

/// Calls f with the numeric model when every symbol has a value, with the symbolic one otherwise.
template <class F>
void with_model(ModelText const& text, Bindings const& bindings, F const& f) {
    for (auto const& symbol : text.symbols()) {
        if (bindings.count(symbol) == 0) {
            f(symbolic_model(text, bindings));
            return;
        }
    }
    f(numeric_model(text, bindings));
}

/// Refuses --set and --table names that no query text contains.
void check_bindings(std::set<std::string> const& symbols, Session const& session);

/// One line on what the numbers take for granted.
void state_assumptions(ModelText const& text, ModelOptions const& which, Answer& answer);

/// The model as the sampling engine takes it, with an input vector of the stated norm.
/// Errors  UnsupportedError for widths too large to be sampled.
[[nodiscard]] monte_carlo::NetworkModel sampling_model(NumericModel const& model);

/// Splits a comma-separated list and parses each entry.
[[nodiscard]] std::vector<Expression> parse_list(std::string const& text, std::string const& option);

/// Digits of an element of either ring, for messages and tables of doubles.
[[nodiscard]] double to_double(Surd const& x);
[[nodiscard]] double to_double(RationalFunction const& x);

}  // namespace isserlis::cli
