// SPDX-License-Identifier: MIT
#include <isserlis/report/tidy.hpp>

#include "quantity/hessian/sharpness.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_matrices_of_blocks = 12;
char const* const whole_norm = "(D[m,n] loss)^2";

/// A part of |H|_F^2: `factor` times the mean of a query.
template <class R>
struct HessianPart {
    char const* name;
    char const* query;
    R factor;
    PrintedMean<R> mean = PrintedMean<R>(0);  ///< of the query
};

template <class R, class Count>
std::vector<HessianPart<R>> parts_of(Model<R, Count> const& model) {
    // Targets are independent of the weights and their outputs of equal law: E|y|^2/N times the sum over outputs.
    std::vector<HessianPart<R>> out{{"gauss_newton", "z[i;m] z[i;n] z[j;m] z[j;n]", R(1)},
                                    {"functional", "z[i;m,n] z[i] z[j;m,n] z[j]", R(1)},
                                    {"cross", "z[i;m] z[i;n] z[j;m,n] z[j]", R(2)},
                                    {"target", "z[i;m,n]^2", R(model.target_second / model.graph().output_width())}};
    for (auto& part : out) part.mean = exact_mean_by_powers(part.query, model);
    return out;
}

template <class R>
void add_parts(std::vector<HessianPart<R>> const& parts, PrintedMean<R> const& total,
               std::vector<std::optional<Check>> const& checks, std::string const& why, Answer& answer) {
    auto const check = [&](std::size_t k) { return checks.empty() ? std::nullopt : checks[k]; };
    answer.add("hessian_frobenius_squared", {}, tidy(total), check(0), why);
    for (std::size_t k = 0; k < parts.size(); ++k)
        answer.add(parts[k].name, {}, tidy(PrintedMean<R>(parts[k].mean * parts[k].factor)), check(k + 1),
                   why.empty() ? "E|y|^2 is 0" : why);
    std::string const bound = why.empty() ? "a bound computed from hessian_frobenius_squared, which is checked" : why;
    answer.add("top_eigenvalue_upper", {}, root(total, "sqrt(hessian_frobenius_squared)"), {}, bound);
    answer.add("reciprocal_sharpness_lower", {}, reciprocal_sharpness(total, "2/sqrt(hessian_frobenius_squared)"), {},
               bound);
}

/// The blocks of each pair of weight matrices, by their names.
template <class R, class Count>
void add_wired_blocks(Model<R, Count> const& model, Session const& session, Answer& answer) {
    auto const names = weight_names(model.graph(), most_matrices_of_blocks);
    if (!names) {
        answer.warn("blocks are left out at a depth in symbols and beyond " + std::to_string(most_matrices_of_blocks) +
                    " weight matrices");
        return;
    }
    answer.expect(names->size() * names->size());
    std::vector<AskedMean> asked;
    std::vector<PrintedMean<R>> values;
    for (std::size_t k = 0; k < names->size(); ++k) {
        for (std::size_t l = 0; l <= k; ++l) {
            std::string const query = std::string(whole_norm) + " where m in " + (*names)[k] + ", n in " + (*names)[l];
            values.push_back(exact_mean_by_powers(query, model));
            if constexpr (std::is_same_v<R, Surd>) asked.push_back({.query = query, .exact = to_double(values.back())});
        }
    }
    std::vector<std::optional<Check>> checks(values.size());
    if constexpr (std::is_same_v<R, Surd>) checks = observable_checks(asked, model, session, answer);
    for (std::size_t k = 0; k < names->size(); ++k) {
        for (std::size_t l = 0; l < names->size(); ++l) {
            std::size_t const larger = std::max(k, l);
            std::size_t const at = larger * (larger + 1) / 2 + std::min(k, l);  // the Hessian is symmetric
            answer.add("block", {(*names)[k], (*names)[l]}, tidy(values[at]), checks[at],
                       std::is_same_v<R, Surd> ? "" : not_numeric);
        }
    }
}

}  // namespace

void add_wired_hessian(NumericModel const& model, Session const& session, Answer& answer) {
    auto const parts = parts_of(model);
    Surd const total = exact_mean(whole_norm, model);
    std::vector<AskedMean> asked{{.query = whole_norm, .exact = to_double(total)}};
    for (auto const& part : parts)
        asked.push_back({.query = part.query, .exact = to_double(part.mean), .factor = part.factor});
    add_parts(parts, total, observable_checks(asked, model, session, answer), "", answer);
    add_wired_blocks(model, session, answer);
}

void add_wired_hessian(SymbolicModel const& model, Session const& session, Answer& answer) {
    declare_orthogonal(model, 2, answer);
    add_parts(parts_of(model), exact_mean_by_powers(whole_norm, model), {}, not_numeric, answer);
    add_wired_blocks(model, session, answer);
}

}  // namespace isserlis::quantity
