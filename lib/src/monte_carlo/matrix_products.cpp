// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/matrix_products.hpp>

#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/weight_rows.hpp>
#include <string>

namespace isserlis::monte_carlo {
namespace {

using ProductRow = std::array<double, 2>;

double square(double x) { return x * x; }

void require_neurons(char const* function, char const* argument, std::vector<std::size_t> const& sizes) {
    for (std::size_t r = 0; r < sizes.size(); ++r)
        if (sizes[r] == 0)
            throw DomainError(std::string(function) + ": " + argument + "[" + std::to_string(r) +
                                  "] = 0; a matrix needs at least 1 row and column",
                              argument);
}

/// Multiplies random matrices of the given numbers of rows into a matrix of two columns, starting at the identity.
class TwoColumns {
public:
    void append(std::size_t rows, WeightRows<double> const& law) { factors_.push_back({rows, law}); }

    [[nodiscard]] std::vector<ProductRow> const& operator()(std::uint64_t seed, std::uint64_t sample) {
        Stream stream(seed, sample);
        product_ = {ProductRow{1, 0}, ProductRow{0, 1}};
        for (auto& [rows, law] : factors_) {
            next_.assign(rows, ProductRow{});
            law.for_each_row(stream, rows, product_.size(), [&](std::size_t i, std::span<double const> weights) {
                for (std::size_t j = 0; j < weights.size(); ++j) {
                    next_[i][0] += weights[j] * product_[j][0];
                    next_[i][1] += weights[j] * product_[j][1];
                }
            });
            product_.swap(next_);
        }
        return product_;
    }

private:
    struct Factor {
        std::size_t rows;
        WeightRows<double> law;
    };
    std::vector<Factor> factors_;
    std::vector<ProductRow> product_;
    std::vector<ProductRow> next_;
};

template <std::size_t N>
struct Statistics {
    std::array<RunningVariance, N> values;

    void push(std::array<double, N> const& sample) {
        for (std::size_t i = 0; i < N; ++i) values[i].push(sample[i]);
    }
    static void members(auto& self, auto const& f) { f(self.values); }
};

std::array<double, 6> index_averages(std::vector<ProductRow> const& b) {
    double const b11 = square(b[0][0]);
    double const b12 = square(b[0][1]);
    double const b21 = square(b[1][0]);
    double const b22 = square(b[1][1]);
    return {(b11 + b12 + b21 + b22) / 4, (square(b11) + square(b12) + square(b21) + square(b22)) / 4,
            (b11 * b21 + b12 * b22) / 2, (b11 * b12 + b21 * b22) / 2,
            (b11 * b22 + b12 * b21) / 2, b[0][0] * b[0][1] * b[1][0] * b[1][1]};
}

std::array<double, 2> column_averages(std::vector<ProductRow> const& b) {
    double first = 0;
    double second = 0;
    double dot = 0;
    for (ProductRow const& row : b) {
        first += square(row[0]);
        second += square(row[1]);
        dot += row[0] * row[1];
    }
    return {first * second, square(dot)};
}

template <class Averages>
auto statistics(TwoColumns const& product, std::uint64_t samples, std::uint64_t seed, RunControl const& control,
                Averages averages) {
    using Total = Statistics<std::tuple_size_v<decltype(averages(std::vector<ProductRow>{}))>>;
    return run(samples, control, Total{}, [&] {
        return [=, columns = product](std::uint64_t sample, Total& into) mutable {
            into.push(averages(columns(seed, sample)));
        };
    });
}

Estimate finite_estimate(char const* function, char const* argument, RunningVariance const& statistic) {
    Estimate const result = statistic.estimate();
    if (!std::isfinite(result.mean) || !std::isfinite(result.std_error))
        throw UnsupportedError(std::string(function) +
                                   ": a moment or its standard error is beyond double; take fewer or "
                                   "smaller matrices",
                               argument);
    return result;
}

}  // namespace

ProductMoments product_moments(std::vector<std::size_t> const& sizes, std::vector<WeightLaw<double>> const& laws,
                               std::uint64_t samples, std::uint64_t seed, RunControl const& control) {
    if (sizes.size() < 2)
        throw DomainError("product_moments: " + std::to_string(sizes.size()) + " sizes; one matrix already has 2",
                          "sizes");
    require_neurons("product_moments", "sizes", sizes);
    if (laws.size() != sizes.size() - 1)
        throw DomainError("product_moments: " + std::to_string(laws.size()) + " laws for " +
                              std::to_string(sizes.size() - 1) + " matrices; one for each is required",
                          "laws");
    TwoColumns product;
    for (std::size_t r = 0; r < laws.size(); ++r)
        product.append(r + 1 < laws.size() ? sizes[r + 1] : 2, {laws[r], 1.0});

    auto const total = statistics(product, samples, seed, control, index_averages);
    auto const estimate = [&](std::size_t i) { return finite_estimate("product_moments", "sizes", total.values[i]); };
    return {.second = estimate(0),
            .rho = estimate(1),
            .gamma = estimate(2),
            .nu = estimate(3),
            .tau = estimate(4),
            .eta = estimate(5)};
}

ColumnForms column_forms(std::vector<std::size_t> const& widths, std::uint64_t samples, std::uint64_t seed,
                         RunControl const& control) {
    require_neurons("column_forms", "widths", widths);
    TwoColumns product;
    for (std::size_t const width : widths)
        product.append(width, {WeightLaw<double>{.kind = LawKind::gaussian}, 1.0 / static_cast<double>(width)});

    auto const total = statistics(product, samples, seed, control, column_averages);
    return {.norms = finite_estimate("column_forms", "widths", total.values[0]),
            .dot = finite_estimate("column_forms", "widths", total.values[1])};
}

}  // namespace isserlis::monte_carlo
