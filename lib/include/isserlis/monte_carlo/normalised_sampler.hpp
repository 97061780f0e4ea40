// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <isserlis/monte_carlo/norm_sampler.hpp>
#include <isserlis/monte_carlo/squared_norms.hpp>
#include <isserlis/monte_carlo/weight_rows.hpp>
#include <isserlis/network/normalisation.hpp>
#include <optional>
#include <span>
#include <vector>

namespace isserlis::monte_carlo {

/// One layer or block of a normalised network, from one norm that is read to the next: h -> N(h) where the input is
/// normalised, then the matrices with gates between them, then h + .., then N(..), then the gates.
struct NormalisedStage {
    struct Matrix {
        std::size_t rows = 1;
        double variance = 1;  ///< of an entry
    };
    std::vector<Matrix> matrices;
    bool normalises_input = false;
    bool adds_input = false;
    bool normalises_output = false;
    bool gates_output = false;
};

/// A network with normalised layers: Gaussian weights, no biases, gates t above 0 and `slope` t below.
struct NormalisedModel {
    Normalisation by = Normalisation::rms;
    double slope = 0;
    std::vector<double> input;
    std::vector<NormalisedStage> stages;

    [[nodiscard]] double weights() const;  ///< of one network
};

/// z less the mean of its entries: 0 where what is left is the rounding of equal entries.
void take_mean(std::vector<double>& z);

/// The squared norms behind each stage of one drawn network after another.
///
/// Law     the model's; weights of a stage are drawn matrix by matrix, row by row.
/// Shape   one number a stage; none from the first layer of a chain on that normalises what a dead ReLU layer made 0. In
///         residual blocks N(0) = 0. A sampler belongs to one thread.
/// Units   squared activation units; double.
/// Errors  DomainError for a block whose output has not the width of its input.
/// Source  this library
class NormalisedSampler {
public:
    explicit NormalisedSampler(NormalisedModel model);

    /// The result stays valid until the next call.
    [[nodiscard]] std::span<std::optional<SquaredNorm> const> operator()(std::uint64_t seed, std::uint64_t sample);

private:
    void normalise(std::vector<double>& h) const;
    void gate(std::vector<double>& h) const;
    void pass(NormalisedStage const& stage, Stream& stream);

    NormalisedModel model_;
    std::vector<double> h_;
    std::vector<std::optional<SquaredNorm>> norms_;
};

/// Sampled moments of the squared norm behind every stage; as `squared_norms`, over the networks that have one there.
/// Where fewer than two have, its moments are empty.
[[nodiscard]] std::vector<LayerNorms> normalised_norms(NormalisedModel const& model, std::uint64_t samples,
                                                       std::uint64_t seed, int max_power,
                                                       std::optional<std::vector<double>> const& centers,
                                                       RunControl const& control = {});

}  // namespace isserlis::monte_carlo
