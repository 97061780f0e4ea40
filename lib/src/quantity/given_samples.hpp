// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/data_set.hpp>
#include <isserlis/formula/quadratic_forms.hpp>
#include <isserlis/report/answer.hpp>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "quantity/wired/wired.hpp"
#include "question/curve_data.hpp"
#include "question/model.hpp"
#include "question/with_file.hpp"

namespace isserlis::quantity {

/// Several inputs with their targets, as they are named: a data set, or a file of inner products.
struct SamplesText {
    DataSetText set;
    std::optional<WithFile> with;
    std::string file;             ///< of `with`
    std::optional<DataSet> data;  ///< what `data` names, once it is read

    [[nodiscard]] bool are_given() const { return with || !set.name.empty(); }
    [[nodiscard]] std::size_t size() const { return with ? with->input_names.size() : data->samples(); }
    [[nodiscard]] std::set<std::string> symbols() const { return with ? with->symbols() : std::set<std::string>{}; }
    /// What an index calls each: its name in the file, or its number in the data.
    [[nodiscard]] std::vector<std::string> names() const;
};

/// `data` with what goes with it, and `with` for this use.
[[nodiscard]] ParameterSet<SamplesText> samples_parameters(WithUse use);

inline constexpr std::size_t most_given_samples = 100;  ///< triples and pairs of which take some seconds
/// Reads `data`.
/// Errors  those of `read_data_set`; ParseError for a parameter of one sample or of none beside them; UnsupportedError for
///         more than `most` of `data` or `most_given_samples` of `with`.
void complete_samples(SamplesText& samples, Session const& session, std::size_t most = most_given_samples);

/// The networks of `widths`, of any wiring, whose symbols and those of the samples values are given to.
/// Errors  those of `read_network`.
[[nodiscard]] std::vector<ModelText> read_networks_of_samples(ModelText const& typed, Session const& session,
                                                              std::set<std::string> const& of_samples);

/// "by their Gram matrix, .."; empty for vectors.
[[nodiscard]] std::string gram_text(WithFile const& file);
inline constexpr char const* targets_by_gram =
    ", targets by their Gram matrix, whose rank is at most the number of outputs";
/// "data FILE: 3 samples, .."
[[nodiscard]] std::string samples_text(SamplesText const& samples);
/// Says it, and where targets are given, why they are not used.
void state_inputs(SamplesText const& samples, std::string const& why, Answer& answer);

/// The rows of a file at the values of the symbols.
template <class R>
[[nodiscard]] Rows<R> values_of(std::vector<std::vector<Expression>> const& rows, Bindings const& bindings) {
    Rows<R> out;
    for (auto const& row : rows) {
        out.emplace_back();
        for (auto const& e : row) out.back().push_back(value_at<R>(e, bindings, "with"));
    }
    return out;
}

/// Vectors of these products, of `width` numbers, by Cholesky's elimination; `what` is their name in the file of `with`.
/// Errors  DomainError where there are none.
[[nodiscard]] std::vector<std::vector<double>> vectors_of(Rows<Surd> products, Surd const& width, char const* what);

/// Refuses what are no products of any vectors at the values that are given, as far as one can tell: of numbers all.
/// Errors  DomainError naming the entry of the file of `with`.
void require_possible_products(WithFile const& file, Session const& session);

/// Errors  DomainError naming the entry of the file of `with`.
template <class R>
void require_symmetric_products(Rows<R> const& gram, char const* what) {
    for (std::size_t k = 0; k < gram.size(); ++k) {
        for (std::size_t l = 0; l < k; ++l) {
            if (!(gram[k][l] == gram[l][k]))
                throw DomainError(std::string("`with`: \"") + what + "\" is not symmetric: rows " +
                                      std::to_string(l + 1) + " and " + std::to_string(k + 1) + " differ",
                                  "with");
        }
    }
}

/// The inputs of a file as vectors, if that is what it has.
/// Errors  DomainError unless they have `width` numbers.
template <class R>
[[nodiscard]] Rows<R> input_vectors(WithFile const& file, R const& width, Bindings const& bindings) {
    auto out = values_of<R>(file.vectors, bindings);
    for (auto const& x : out) {
        if (width == R(Rational(Integer(x.size())))) continue;
        throw DomainError("`with`: an input has " + std::to_string(x.size()) + " numbers, and `widths` begins with " +
                              printable(to_string(width)),
                          "with");
    }
    return out;
}

/// All products of two of these vectors.
template <class R>
[[nodiscard]] Rows<R> products_of(Rows<R> const& vectors) {
    Rows<R> out;
    for (auto const& x : vectors) {
        out.emplace_back();
        for (auto const& y : vectors) out.back().push_back(dot(x, y));
    }
    return out;
}

/// Where the symbols of a Gram matrix stand for products of vectors: no minor of one or two of them is negative. That its
/// rank is at most the number of coordinates is for words to say.
/// Errors  DomainError for a rank above that number, both being numbers.
void declare_gram(std::vector<std::vector<Expression>> const& rows, char const* what,
                  RationalFunction const& coordinates, Bindings const& bindings, Answer& answer);
/// Numbers declare nothing.
inline void declare_gram(std::vector<std::vector<Expression>> const&, char const*, Surd const&, Bindings const&,
                         Answer&) {}

/// Those of the inputs and of the targets of a file.
template <class R, class Count>
void declare_grams(WithFile const& file, Model<R, Count> const& model, Bindings const& bindings, Answer& answer) {
    declare_gram(file.gram, "gram", model.graph().input_width, bindings, answer);
    declare_gram(file.targets, "targets", model.graph().output_width(), bindings, answer);
}

/// The products of the inputs of a file.
/// Errors  those of `input_vectors` and `require_symmetric_products`.
template <class R>
[[nodiscard]] Rows<R> input_products(WithFile const& file, R const& width, Bindings const& bindings) {
    if (!file.gram.empty()) {
        auto const out = values_of<R>(file.gram, bindings);
        require_symmetric_products(out, "gram");
        return out;
    }
    return products_of(input_vectors(file, width, bindings));
}

/// The products of the targets; none where those of `data` are no sums of square roots.
template <class R>
[[nodiscard]] std::optional<Rows<R>> target_products(SamplesText const& samples, Bindings const& bindings) {
    if (samples.with) return values_of<R>(samples.with->targets, bindings);
    if (!samples.data->has_exact_targets()) return std::nullopt;
    Rows<R> out;
    for (auto const& row : products_of(exact_targets(*samples.data))) out.emplace_back(row.begin(), row.end());
    return out;
}

/// sum_j x_kj^2 x_lj^2
template <class R>
[[nodiscard]] Rows<R> fourth_products(Rows<R> const& vectors) {
    Rows<R> squares = vectors;
    for (auto& row : squares)
        for (auto& x : row) x = x * x;
    return products_of(squares);
}

/// The inputs of either, without targets.
/// Errors  those of `input_products` and `input_vectors`.
template <class R>
[[nodiscard]] InputSamples<R> input_samples(SamplesText const& samples, R const& width, Bindings const& bindings) {
    InputSamples<R> out{.names = samples.names(), .inputs = {}, .fourth = {}, .vectors = {}};
    Rows<R> vectors;
    if (samples.with) {
        out.inputs = input_products<R>(*samples.with, width, bindings);
        vectors = input_vectors<R>(*samples.with, width, bindings);
    } else {
        for (auto const& row : exact_inputs(*samples.data)) vectors.emplace_back(row.begin(), row.end());
        for (auto const& row : gram(*samples.data)) {
            out.inputs.emplace_back();
            for (auto const& x : row) out.inputs.back().push_back(R(Surd(x)));
        }
    }
    if (!vectors.empty()) out.fourth = fourth_products(vectors);
    if constexpr (std::is_same_v<R, Surd>) {
        if (vectors.empty()) {
            out.vectors = vectors_of(out.inputs, width, "gram");
        } else {
            for (auto const& row : vectors) {
                out.vectors.emplace_back();
                for (auto const& x : row) out.vectors.back().push_back(to_double(x));
            }
        }
    }
    return out;
}

/// Says what the symbols of a network and of its samples are and, where there are derivatives, what multiplies labels, then
/// calls f with the model.
template <class F>
void with_model_of_samples(std::set<std::string> const& of_samples, ModelText const& text, Session const& session,
                           Bindings const& bindings, Answer& answer, F const& f, bool derivatives = true) {
    auto symbols = text.symbols();
    symbols.insert(of_samples.begin(), of_samples.end());
    state_symbols(symbols, text, bindings, answer);
    if (derivatives && text.wiring == Wiring::file)
        answer.assume("label factors as in the file");
    else if (derivatives)
        state_label_factors(text, answer);
    with_model(symbols, text, bindings, [&](auto const& model) {
        begin_wired(model, text, session, answer);
        f(model);
    });
}

/// Errors  DomainError for an input or an output of another width than the data; of inputs alone without `targets`.
template <class R, class Count>
void require_data_widths(Graph<R, Count> const& graph, DataSet const& data, bool targets = true) {
    auto const require = [&](R const& width, std::size_t size, char const* end, char const* what) {
        if (!(width == R(Rational(Integer(size)))))
            throw DomainError(std::string("`widths` ") + end + " with " + printable(to_string(width)) + ", but " +
                                  data.place() + " has " + what + " = " + std::to_string(size),
                              "widths");
    };
    require(graph.input_width, data.input_width(), "begin", "d_0");
    if (targets) require(graph.output_width(), data.output_width(), "end", "d_n");
}

}  // namespace isserlis::quantity
