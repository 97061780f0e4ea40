// SPDX-License-Identifier: MIT
#include <isserlis/data/data_set.hpp>

#include <isserlis/error.hpp>
#include <isserlis/ring/fractions.hpp>

#include <algorithm>
#include <cmath>

namespace isserlis {
namespace {

using IntegerRows = std::vector<std::vector<Integer>>;

/// Inputs as integers a, with integer weights n and one denominator: K_kl = sum_i n_i a_ki a_li / denominator.
struct IntegerInputs {
    IntegerRows values;
    std::vector<Integer> weights;
    Integer denominator;
};

IntegerInputs over_integers(DataSet const& data) {
    IntegerInputs out;
    out.values.resize(data.samples());
    std::vector<Rational> weights;
    for (std::size_t i = 0; i < data.input_width(); ++i) {
        std::vector<Rational> feature;
        for (auto const& x : data.inputs) feature.push_back(x[i]);
        auto const [numerators, common] = Fractions<Rational>::over_common(feature);
        for (std::size_t k = 0; k < numerators.size(); ++k) out.values[k].push_back(numerators[k]);
        weights.push_back(quotient(data.squared_scales[i], Rational(common * common)));
    }
    std::tie(out.weights, out.denominator) = Fractions<Rational>::over_common(weights);
    return out;
}

/// Sums over features of n_i term(a_ki a_li).
template <class Term>
std::vector<std::vector<Rational>> feature_sums(DataSet const& data, Term const& counts) {
    IntegerInputs const in = over_integers(data);
    std::vector<std::vector<Rational>> out(data.samples(), std::vector<Rational>(data.samples()));
    for (std::size_t k = 0; k < data.samples(); ++k) {
        std::vector<Integer> weighted = in.values[k];
        for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] *= in.weights[i];
        for (std::size_t l = 0; l <= k; ++l) {
            Integer sum = 0;
            for (std::size_t i = 0; i < weighted.size(); ++i)
                if (counts(weighted[i], in.values[l][i])) sum += weighted[i] * in.values[l][i];
            out[k][l] = out[l][k] = ratio(sum, in.denominator);
        }
    }
    return out;
}

std::vector<std::vector<double>> doubles(std::vector<std::vector<Rational>> const& rows) {
    std::vector<std::vector<double>> out;
    for (auto const& row : rows)
        for (out.emplace_back(); auto const& x : row) out.back().push_back(x.convert_to<double>());
    return out;
}

}  // namespace

std::size_t DataSet::output_width() const {
    if (!targets.empty()) return targets.front().size();
    return gradients.empty() ? 0 : gradients.front().size();
}

bool DataSet::has_exact_targets() const {
    return std::all_of(targets.begin(), targets.end(), [](auto const& row) {
        return std::all_of(row.begin(), row.end(), [](RealNumber const& y) { return y.exact().has_value(); });
    });
}

std::string DataSet::place() const { return "data '" + printable(name) + "'"; }

std::string DataSet::place_of_target(std::size_t sample, std::size_t target) const {
    std::string const y = "y" + std::to_string(target + 1);
    if (lines.empty()) return place() + ", sample " + std::to_string(sample + 1) + ", " + y;
    return place() + ", line " + std::to_string(lines[sample]) + ", column " + std::to_string(target_columns[target]) +
           " (" + y + ")";
}

std::vector<std::vector<Rational>> gram(DataSet const& data) {
    return feature_sums(data, [](Integer const&, Integer const&) { return true; });
}

std::vector<std::vector<Rational>> rectified_gram(DataSet const& data) {
    return feature_sums(data, [](Integer const& a, Integer const& b) { return a.sign() * b.sign() > 0; });
}

std::vector<std::vector<Surd>> exact_inputs(DataSet const& data) {
    std::vector<Surd> scales;
    for (auto const& square : data.squared_scales) scales.push_back(sqrt(square));
    std::vector<std::vector<Surd>> out;
    for (auto const& row : data.inputs) {
        out.emplace_back();
        for (std::size_t i = 0; i < row.size(); ++i) out.back().push_back(scales[i] * Surd(row[i]));
    }
    return out;
}

std::vector<std::vector<Surd>> exact_targets(DataSet const& data) {
    std::vector<std::vector<Surd>> out;
    for (auto const& row : data.targets) {
        out.emplace_back();
        for (auto const& y : row) {
            if (!y.exact())
                throw UnsupportedError(
                    data.place() + " has the target " + y.text() + ", which is no sum of square roots known here",
                    "data");
            out.back().push_back(*y.exact());
        }
    }
    return out;
}

std::vector<std::vector<Interval>> enclosed_inputs(DataSet const& data, unsigned bits) {
    std::vector<std::vector<Interval>> out;
    for (auto const& row : exact_inputs(data))
        for (out.emplace_back(); auto const& x : row) out.back().push_back(enclose(x, bits));
    return out;
}

std::vector<std::vector<Interval>> enclosed_targets(DataSet const& data, unsigned bits) {
    std::vector<std::vector<Interval>> out;
    for (auto const& row : data.targets)
        for (out.emplace_back(); auto const& y : row) out.back().push_back(y.enclose(bits));
    return out;
}

std::vector<std::vector<double>> input_doubles(DataSet const& data) {
    // The square is rational: one rounding, one root.
    std::vector<std::vector<double>> out;
    for (auto const& row : data.inputs) {
        out.emplace_back();
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (data.squared_scales[i] == 1) {
                out.back().push_back(row[i].convert_to<double>());
                continue;
            }
            double const size = std::sqrt(Rational(row[i] * row[i] * data.squared_scales[i]).convert_to<double>());
            out.back().push_back(row[i] < 0 ? -size : size);
        }
    }
    return out;
}

std::vector<std::vector<double>> target_doubles(DataSet const& data) {
    std::vector<std::vector<double>> out;
    for (auto const& row : data.targets)
        for (out.emplace_back(); auto const& y : row) out.back().push_back(y.to_double());
    return out;
}

std::vector<std::vector<double>> gradient_doubles(DataSet const& data) { return doubles(data.gradients); }

std::vector<std::vector<std::vector<double>>> hessian_doubles(DataSet const& data) {
    std::vector<std::vector<std::vector<double>>> out;
    for (auto const& h : data.hessians) out.push_back(doubles(h));
    return out;
}

void require_widths(DataSet const& data, std::size_t input_width, std::size_t output_width) {
    if (input_width != data.input_width())
        throw DomainError(data.place() + " has " + std::to_string(data.input_width() - 1) +
                              (data.input_width() == 2 ? " feature" : " features") +
                              " and the constant one that is appended, so `widths` starts with " +
                              std::to_string(data.input_width()) + "; here it starts with " +
                              std::to_string(input_width),
                          "widths");
    if (output_width != data.output_width())
        throw DomainError(data.place() + " has " + std::to_string(data.output_width()) +
                              (data.targets.empty() ? " gradient" : " target") + (data.output_width() == 1 ? "" : "s") +
                              " a sample, so `widths` ends with " + std::to_string(data.output_width()) +
                              "; here it ends with " + std::to_string(output_width),
                          "widths");
}

}  // namespace isserlis
