// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <isserlis/model/parametrisation.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/network/scheme.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/ring/parse.hpp>
#include <string_view>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "question/graph_file.hpp"
#include "question/names.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// How layers are wired.
enum class Wiring { vanilla, residual, dense, file };

/// The input vector as typed. It may be long: numbers are evaluated once.
struct InputText {
    std::vector<Expression> entries;
    std::set<std::string> symbols;
    std::vector<Surd> numbers;  ///< where no entry has a symbol
    Surd square;                ///< their sum of squares, and of fourth powers
    Surd fourth;
};

/// The parameters of a model as given, parsed but without values for their symbols.
struct ModelText {
    Wiring wiring = Wiring::vanilla;
    std::size_t branch_matrices = 1;  ///< M of resnet:M
    GraphText file;
    std::string wiring_text = "vanilla";  ///< as typed
    std::vector<WidthItem> widths;
    std::optional<Expression> slope;
    std::string slope_text;  ///< as typed
    ActivationKind activation = ActivationKind::relu;
    bool gated_head = false;
    std::optional<Scheme> scheme;                    ///< none when `variance` or `parametrisation` is given
    std::optional<NamedScheme> named_scheme;         ///< as typed
    std::vector<Expression> variances;               ///< one for all layers, or one per weight layer
    std::optional<Parametrisation> parametrisation;  ///< in place of a scheme and of variances
    std::optional<LawKind> law;                      ///< none when kurtoses or a list of laws are given
    bool orthogonal = false;                         ///< each weight matrix is Haar-orthogonal, not of a law
    /// Of each weight layer, where a list is given; none stands for a Haar-orthogonal matrix.
    std::vector<std::optional<LawKind>> layer_laws;
    std::string kurtosis_parameter = "kurtosis";  ///< the parameter that lists them, for messages
    std::vector<Expression> kurtoses;             ///< one for all layers, or one per weight layer
    std::vector<Expression> bias_variances;       ///< one for all layers, or one per weight layer; none is no bias
    LawKind bias_law = LawKind::gaussian;
    std::shared_ptr<InputText const> input;  ///< none where its norm is all that is known
    std::string input_file;                  ///< whose content it is, if any
    std::optional<Expression> squared_norm;
    std::optional<Expression> fourth;
    std::vector<Expression> label_factors;                ///< one for all layers, or one per weight layer; none is 1
    std::string label_factor_parameter = "label_factor";  ///< the parameter that lists them, for messages
    std::vector<Expression> bias_label_factors;           ///< one for all layers or one per layer; none is no bias
    bool effective = false;                               ///< `effective`: label factors are divided by the fan-in
    std::optional<Expression> target_second;
    std::optional<Expression> target_third;
    std::optional<Expression> target_fourth;
    std::optional<Expression> data_scale;   ///< `c`, the constant of standardised data
    std::optional<Expression> alpha;        ///< multiplies every variance of the scheme
    std::optional<Expression> multiplier;   ///< m of residual blocks y + m F(y)
    std::vector<Expression> branch_widths;  ///< of the hidden layers of a branch: one for all, or one for each
    bool projections = false;               ///< a residual network stands between two plain matrices
    unsigned first_source = 0;              ///< where the sum of a dense layer starts: at y^0 or y^1
    monte_carlo::TieRule ties = monte_carlo::TieRule::refuse;
    monte_carlo::Precision precision = monte_carlo::Precision::float64;
    std::vector<std::string> idle;  ///< facts that were given and that the answer does not depend on, each a sentence
    std::map<std::string, std::string> typed;  ///< the parameters as given, by name

    /// Is some weight matrix Haar-orthogonal?
    [[nodiscard]] bool has_orthogonal() const {
        return orthogonal || std::find(layer_laws.begin(), layer_laws.end(), std::nullopt) != layer_laws.end();
    }
    /// Is it left to strands by closed forms, which are of fully connected networks of independent weights of kurtosis 3
    /// without biases?
    [[nodiscard]] bool needs_strands() const {
        return wiring != Wiring::vanilla || has_biases() || has_orthogonal() || !has_kurtosis_three();
    }
    /// Is the matrix of weight layer `i`, from 0, Haar-orthogonal?
    [[nodiscard]] bool is_orthogonal(std::size_t i) const { return layer_laws.empty() ? orthogonal : !layer_laws[i]; }
    /// Derivatives are by parameters of variance 1, theta of W = sqrt(variance) theta.
    [[nodiscard]] bool has_unit_parameters() const { return scheme && isserlis::has_unit_parameters(*scheme); }
    /// Some variance has the words fan_in or fan_out in it.
    [[nodiscard]] bool has_fan_words() const;
    /// What multiplies branches has the word blocks in it.
    [[nodiscard]] bool speaks_of_blocks() const;
    /// Some layer or node has a bias.
    [[nodiscard]] bool has_biases() const;
    /// Every kurtosis is 3, so that nothing depends on sum x_i^4.
    [[nodiscard]] bool has_kurtosis_three() const;
    [[nodiscard]] bool has(std::string const& parameter) const { return typed.count(parameter) != 0; }
    /// What was typed for a parameter, or "as given" where its value is the program's own.
    [[nodiscard]] std::string as_typed(std::string const& parameter) const {
        auto const at = typed.find(parameter);
        return at == typed.end() ? "as given" : at->second;
    }
    /// All symbols that occur anywhere.
    [[nodiscard]] std::set<std::string> symbols() const;
};

/// Which parameters of a model a command offers; the others are unknown to it.
struct ModelParameters {
    bool wiring = false;  ///< any `network`
    bool loss = false;    ///< moments of the targets and label factors
    bool target = false;  ///< E|y|^2 alone
    bool third = false;   ///< their third moment too
    bool label_factor = false;
    bool activation = false;
    bool variance = false;
    bool parametrisation = false;
    bool law = false;
    bool matrix_laws = false;  ///< `law` may be orthogonal, and a list with one entry for each layer
    bool bias = false;
    bool input = false;
    bool precision = false;  ///< the type of the numbers that are sampled with
};

/// Networks, one or several, each with what was typed for all of them.
///
/// Errors  ParseError without widths, unless a file has the network, and for parameters that do not go together;
///         UnsupportedError for a wiring other than vanilla, unless `any_wiring`.
[[nodiscard]] std::vector<ModelText> read_networks(ModelText const& typed, Session const& session,
                                                   bool any_wiring = false);
[[nodiscard]] ModelText read_network(ModelText typed, std::string const& widths, Session const& session,
                                     bool any_wiring = false);

/// The symbols of several networks.
[[nodiscard]] std::set<std::string> symbols_of(std::vector<ModelText> const& networks);

/// Reads a number or a formula in symbols that mean nothing else to computer algebra systems.
[[nodiscard]] Expression parse_formula(std::string_view text, std::string_view parameter);

/// Is it this number, as typed?
[[nodiscard]] inline bool is_number(Expression const& e, int number) {
    return e.kind() == Expression::Kind::number && e.number() == number;
}

/// Splits a comma-separated list and parses each entry.
[[nodiscard]] std::vector<Expression> parse_list(std::string const& text, std::string const& parameter);

/// Refuses `set` and `table` names that no query text contains.
void check_bindings(std::set<std::string> const& symbols, Session const& session);

}  // namespace isserlis::quantity
