// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/observable/statistic.hpp>

#include <optional>
#include <set>
#include <string>

#include "question/model_parameters.hpp"
#include "question/session.hpp"
#include "question/with_file.hpp"

namespace isserlis::quantity {

/// What stands for depth over width in `limit` double-scaling.
inline constexpr char const* limit_symbol = "b";

/// What `expect` is asked, before symbols get values.
struct ExpectRequest {
    StatisticQuery query;
    std::set<std::string> layers;  ///< symbols in names of nodes and places
    ModelText model;
    WithFile with;
    std::optional<Expression> target_mean;  ///< of each output; moments of `model` are about 0
    std::optional<std::string> series;      ///< the symbol n of `series` 1/n
    bool double_scaling = false;
    std::optional<std::size_t> order_typed;
    std::size_t order = 2;
    std::set<std::string> parameters;  ///< symbols of EXPR that nothing else has, and that have no value

    /// Symbols that stand for numbers: of the model, of files, and parameters of the observable.
    [[nodiscard]] std::set<std::string> numbers() const;
    /// Those of places too.
    [[nodiscard]] std::set<std::string> symbols() const;
};

inline constexpr ModelParameters expect_model{.wiring = true,
                                              .loss = true,
                                              .activation = true,
                                              .variance = true,
                                              .law = true,
                                              .matrix_laws = true,
                                              .bias = true,
                                              .input = true,
                                              .precision = true};

[[nodiscard]] ParameterSet<ExpectRequest> expect_parameters();

/// Reads EXPR and WIDTHS. Errors  ParseError and DomainError naming the parameter or argument.
void complete_expect_request(ExpectRequest& request, Session const& session);

/// Does any observable have a part of this kind?
[[nodiscard]] bool mentions(StatisticQuery const& query, Observable::Kind kind);

/// Names of the inputs, and of the constants, that occur, sorted.
[[nodiscard]] std::set<std::string> inputs_of(StatisticQuery const& query);
[[nodiscard]] std::set<std::string> constants_of(StatisticQuery const& query);

/// Replaces symbols that have values in names such as z{L - 1}. What is left counts from the one depth, or from one
/// generic layer l: the order of layers has to be known.
/// Errors  UnsupportedError where it is not.
void resolve_places(ExpectRequest& request, Bindings const& bindings, Answer& answer);

/// The symbols of the one repeated run: its width and its count.
struct RunSymbols {
    std::optional<std::string> width;
    std::optional<std::string> depth;
};

/// The width symbol n and the depth symbol L that expansions are about, where the network leaves no doubt.
[[nodiscard]] RunSymbols main_run(ModelText const& text, Bindings const& bindings);

}  // namespace isserlis::quantity
