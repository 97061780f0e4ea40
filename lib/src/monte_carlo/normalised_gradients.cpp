// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/normalised_gradients.hpp>

#include <isserlis/error.hpp>
#include <isserlis/mlp/matrix_vector.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace isserlis::monte_carlo {
namespace {

using Numbers = std::vector<double>;

double product(Numbers const& a, Numbers const& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

void centre(Numbers& x) {
    double const mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
    for (double& y : x) y -= mean;
}

/// N and its transposed derivative at one vector.
class Normaliser {
public:
    Normaliser(Normalisation by, Numbers at) : by_(by), at_(std::move(at)) {
        if (by_ == Normalisation::layer) take_mean(at_);
        double const square = product(at_, at_);
        factor_ = square == 0 ? 0 : std::sqrt(static_cast<double>(at_.size()) / square);
        inverse_square_ = square == 0 ? 0 : 1 / square;
    }
    [[nodiscard]] Numbers value() const {
        Numbers out = at_;
        for (double& x : out) x *= factor_;
        return out;
    }
    [[nodiscard]] Numbers back(Numbers g) const {
        if (by_ == Normalisation::layer) centre(g);
        double const along = product(g, at_) * inverse_square_;
        for (std::size_t i = 0; i < g.size(); ++i) g[i] = factor_ * (g[i] - along * at_[i]);
        return g;
    }

private:
    Normalisation by_;
    Numbers at_;
    double factor_ = 0;
    double inverse_square_ = 0;
};

/// One stage of one network, with all that the way back needs.
struct Passed {
    std::vector<Numbers> weights;
    std::vector<Numbers> z;  ///< what each matrix makes
    std::vector<Normaliser> input, output;
    Numbers gated;  ///< what the gates of the output read
};

void gate(Numbers& h, double slope) {
    for (double& x : h)
        if (x < 0) x *= slope;
}

void gate_back(Numbers& g, Numbers const& z, double slope) {
    for (std::size_t i = 0; i < g.size(); ++i)
        if (z[i] < 0) g[i] *= slope;
}

Passed pass(NormalisedModel const& model, NormalisedStage const& stage, Stream& stream, Numbers& h) {
    Passed out;
    Numbers u = h;
    if (stage.normalises_input) {
        out.input.emplace_back(model.by, h);
        u = out.input.back().value();
    }
    for (std::size_t j = 0; j < stage.matrices.size(); ++j) {
        if (j > 0) gate(u, model.slope);
        auto const& matrix = stage.matrices[j];
        Numbers w;
        w.reserve(matrix.rows * u.size());
        WeightRows<double>({}, matrix.variance)
            .for_each_row(stream, matrix.rows, u.size(),
                          [&](std::size_t, std::span<double const> row) { w.insert(w.end(), row.begin(), row.end()); });
        Numbers z(matrix.rows);
        mlp::multiply_vector(matrix.rows, u.size(), w.data(), u.data(), z.data());
        out.weights.push_back(std::move(w));
        out.z.push_back(z);
        u = std::move(z);
    }
    if (stage.adds_input) std::transform(u.begin(), u.end(), h.begin(), u.begin(), std::plus<>());
    if (stage.normalises_output) {
        out.output.emplace_back(model.by, u);
        u = out.output.back().value();
    }
    out.gated = u;
    if (stage.gates_output) gate(u, model.slope);
    h = std::move(u);
    return out;
}

/// The gradient by what the stage reads, of that by what it makes.
Numbers back(NormalisedModel const& model, NormalisedStage const& stage, Passed const& passed, Numbers g,
             std::size_t width_below) {
    if (stage.gates_output) gate_back(g, passed.gated, model.slope);
    if (stage.normalises_output) g = passed.output.back().back(std::move(g));
    Numbers const along = g;
    for (std::size_t j = stage.matrices.size(); j-- > 0;) {
        std::size_t const cols = j == 0 ? width_below : stage.matrices[j - 1].rows;
        Numbers below(cols);
        mlp::multiply_vector_transposed(stage.matrices[j].rows, cols, passed.weights[j].data(), g.data(), below.data());
        if (j > 0) gate_back(below, passed.z[j - 1], model.slope);
        g = std::move(below);
    }
    if (stage.normalises_input) g = passed.input.back().back(std::move(g));
    if (stage.adds_input) std::transform(g.begin(), g.end(), along.begin(), g.begin(), std::plus<>());
    return g;
}

struct GradientSums {
    std::vector<RunningVariance> stages;
    static void members(auto& self, auto const& f) { f(self.stages); }
};

/// How many active units a stage needs to hand a gradient down. The gradient by what a layer makes is at right angles to it
/// if it is normalised above: on a single active unit it is 0. That by what the head reads is not.
std::vector<std::ptrdiff_t> least_active(NormalisedModel const& model) {
    std::vector<std::ptrdiff_t> out(model.stages.size(), 0);
    std::ptrdiff_t least = 1;
    for (std::size_t k = out.size(); k-- > 0;) {
        if (!model.stages[k].gates_output) continue;
        if (model.slope == 0) out[k] = least;
        least = 2;
    }
    return out;
}

std::ptrdiff_t active_units(Numbers const& h) {
    return std::count_if(h.begin(), h.end(), [](double x) { return x > 0; });
}

/// Errors  DomainError where N hands nothing down.
void require_gradient(NormalisedModel const& model) {
    std::size_t const least = model.by == Normalisation::rms ? 2 : 3;
    std::size_t below = model.input.size();
    bool behind_norm = false;
    bool all_may_die = model.slope == 0;  // all branches
    for (auto const& stage : model.stages) {
        std::size_t const width = stage.matrices.back().rows;
        bool const reads = stage.normalises_input && !stage.adds_input;
        if (stage.normalises_output || reads) {
            std::size_t const entries = reads ? below : width;
            if (entries < least)
                throw DomainError("`gradients`: " + std::string(least == 2 ? "RMSNorm" : "LayerNorm") + " of " +
                                      std::to_string(entries) + (entries == 1 ? " entry" : " entries") +
                                      " hands no gradient down; normalised layers of " + std::to_string(least) +
                                      " or more do",
                                  "widths");
        }
        if (stage.adds_input && stage.matrices.size() < 2) all_may_die = false;
        behind_norm = behind_norm || stage.normalises_output || (reads && all_may_die);
        below = width;
    }
    if (model.input.size() == 1 && !model.stages.front().adds_input && behind_norm)
        throw DomainError(
            "`gradients`: an input of one entry is a length, which N forgets (a last norm behind pre-norm branches "
            "where "
            "all are dead): nothing is handed down to it; inputs of 2 or more entries are served",
            "widths");
}

}  // namespace

std::vector<Estimate> normalised_gradients(NormalisedModel const& model, std::uint64_t samples, std::uint64_t seed,
                                           RunControl const& control) {
    static_cast<void>(NormalisedSampler(model));  // the sizes
    require_gradient(model);
    auto const least = least_active(model);
    auto const sums = run(samples, control, GradientSums{std::vector<RunningVariance>(model.stages.size())}, [&] {
        return [&model, &least, seed](std::uint64_t sample, GradientSums& into) {
            Stream stream(seed, sample);
            Numbers h = model.input;
            std::vector<Passed> passed;
            std::vector<std::size_t> widths;
            for (std::size_t k = 0; k < model.stages.size(); ++k) {
                widths.push_back(h.size());
                passed.push_back(pass(model, model.stages[k], stream, h));
                if (active_units(h) < least[k]) return;
            }
            Numbers g(h.size(), 0.0);
            g.front() = 1;
            std::vector<double> logs(model.stages.size());
            for (std::size_t k = model.stages.size(); k-- > 0;) {
                g = back(model, model.stages[k], passed[k], std::move(g), widths[k]);
                double const length = std::sqrt(product(g, g));
                logs[k] = 2 * std::log(length);
                if (!std::isfinite(logs[k]))
                    throw UnsupportedError("`gradients`: a gradient is 0 or beyond all numbers in double precision",
                                           "gradients");
                for (double& x : g) x /= length;
            }
            for (std::size_t k = 0; k < logs.size(); ++k) into.stages[k].push(logs[k]);
        };
    });
    std::vector<Estimate> out;
    for (auto const& stage : sums.stages) out.push_back(stage.estimate());
    return out;
}

}  // namespace isserlis::monte_carlo
