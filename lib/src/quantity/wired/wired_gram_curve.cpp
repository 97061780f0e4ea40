// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>

#include "quantity/wired/sample_curve.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

/// The same moments by Gram matrices: sums over samples in place of sums over features.
template <class R>
SampleMoments<R> sample_moments(GramSamples<R> const& samples) {
    auto const& g = samples.inputs;
    auto const& t = samples.targets;
    std::size_t const size = g.size();
    R const n = from_count<R>(size);
    std::vector<std::vector<R>> square(size, std::vector<R>(size, R(0)));  // g g
    std::vector<R> sums(size, R(0));                                       // g 1
    std::vector<R> target_sums(size, R(0));
    for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t l = 0; l < size; ++l) {
            for (std::size_t q = 0; q < size; ++q) square[k][l] = square[k][l] + g[k][q] * g[q][l];
            sums[k] = sums[k] + g[k][l];
            target_sums[k] = target_sums[k] + t[k][l];
        }
    }
    SampleMoments<R> out{};
    auto const add = [](R& to, R const& x) { to = to + x; };
    for (std::size_t k = 0; k < size; ++k) {
        add(out.all.p1, g[k][k] / n);
        add(out.all.p2, square[k][k] / (n * n));
        add(out.all.target, t[k][k] / n);
        add(out.centre.square, sums[k] / (n * n));
        add(out.centre.sigma, sums[k] * sums[k] / (n * n * n));
        add(out.centre.target, target_sums[k] / (n * n));
        add(out.centre.cross, target_sums[k] * sums[k] / (n * n * n));
        add(out.centre.own_square, g[k][k] * sums[k] / (n * n));
        add(out.centre.own_target, t[k][k] * sums[k] / (n * n));
        add(out.centre.own_target_cross, g[k][k] * target_sums[k] / (n * n));
        add(out.own.fourth, g[k][k] * g[k][k] / n);
        add(out.own.sigma, g[k][k] * square[k][k] / (n * n));
        add(out.own.target, t[k][k] * g[k][k] / n);
        add(out.own.target_sigma, t[k][k] * square[k][k] / (n * n));
        for (std::size_t l = 0; l < size; ++l) {
            add(out.all.p3, square[k][l] * g[k][l] / (n * n * n));
            add(out.all.cross, t[k][l] * g[k][l] / (n * n));
            add(out.all.cross_sigma, t[k][l] * square[k][l] / (n * n * n));
            add(out.own.target_cross, g[k][k] * t[k][l] * g[k][l] / (n * n));
        }
    }
    bool const batched = samples.batch && *samples.batch != size;
    out.share = batched ? R(Surd(own_share(*samples.batch, size))) : R(0);
    return out;
}

void require_symmetric(auto const& gram, char const* what) {
    for (std::size_t k = 0; k < gram.size(); ++k) {
        for (std::size_t l = 0; l < k; ++l) {
            if (!(gram[k][l] == gram[l][k]))
                throw DomainError(std::string("`with`: \"") + what + "\" is not symmetric: rows " +
                                      std::to_string(l + 1) + " and " + std::to_string(k + 1) + " differ",
                                  "with");
        }
    }
}

/// Vectors of these products, of `width` numbers, by Cholesky's elimination.
/// Errors  DomainError where there are none.
std::vector<std::vector<double>> vectors_of(std::vector<std::vector<Surd>> rest, std::uint64_t width,
                                            char const* what) {
    std::vector<std::vector<double>> out(rest.size());
    auto const refuse = [&](std::string const& why) {
        throw DomainError(std::string("`with`: \"") + what + "\" " + why, "with");
    };
    for (std::size_t j = 0; j < rest.size(); ++j) {
        Surd const pivot = rest[j][j];
        if (sign(pivot) < 0) refuse("is no Gram matrix: it has a negative eigenvalue");
        if (pivot.is_zero()) {
            if (std::any_of(rest[j].begin(), rest[j].end(), [](Surd const& x) { return !x.is_zero(); }))
                refuse("is no Gram matrix: it has a negative eigenvalue");
            continue;
        }
        double const root = std::sqrt(to_double(pivot));
        for (std::size_t k = 0; k < rest.size(); ++k) out[k].push_back(k < j ? 0 : to_double(rest[k][j]) / root);
        for (std::size_t k = j + 1; k < rest.size(); ++k) {
            Surd const factor = rest[k][j] / pivot;
            for (std::size_t l = j + 1; l < rest.size(); ++l) rest[k][l] = rest[k][l] - factor * rest[j][l];
        }
        for (auto& row : rest) row[j] = Surd(0);
    }
    for (auto& x : out) {
        if (x.size() > width) refuse("has a rank above " + std::to_string(width) + ", the number of coordinates");
        x.resize(width, 0.0);
    }
    return out;
}

template <class R, class Count>
SquaredLossCurve<R> gram_curve(Model<R, Count> const& model, GramSamples<R> const& samples) {
    require_linear_between_matrices(model.graph());
    if (!has_gaussian_weights(model.graph()))
        throw UnsupportedError(
            "`law`: samples by their inner products are served for Gaussian weights; others ask for coordinates, such "
            "as "
            "those of `data`",
            "law");
    require_symmetric(samples.inputs, "gram");
    require_symmetric(samples.targets, "targets");
    return curve_of(model, sample_moments(samples)).scaled(samples.factor);
}

}  // namespace

void add_wired_gram_curve(NumericModel const& model, GramSamples<Surd> const& samples, std::string const& k,
                          Session const& session, Answer& answer) {
    auto const width = [](Surd const& x) { return checked_count(numerator_of(x.to_rational())); };
    auto const inputs = vectors_of(samples.inputs, width(model.graph().input_width), "gram");
    auto const targets = vectors_of(samples.targets, width(model.graph().output_width()), "targets");
    auto const curve = gram_curve(model, samples);
    std::array<std::optional<Check>, 3> checks;
    if (session.samples) {
        bool const batched = samples.batch && *samples.batch != samples.inputs.size();
        checks = sampled_beside(curve,
                                {.network = sampling_graph(model),
                                 .inputs = inputs,
                                 .targets = targets,
                                 .half = !(samples.factor == Surd(1)),
                                 .batch = batched ? samples.batch : std::nullopt},
                                session);
    }
    add_curve(curve, checks, k, answer);
}

void add_wired_gram_curve(SymbolicModel const& model, GramSamples<RationalFunction> const& samples,
                          std::string const& k, Session const&, Answer& answer) {
    add_curve(gram_curve(model, samples), {}, k, answer);
}

}  // namespace isserlis::quantity
