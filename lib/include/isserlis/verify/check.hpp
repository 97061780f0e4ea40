// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

namespace isserlis {

/// A sampled value beside an exact one.
struct Check {
    enum class ErrorKind { exact, sampled };
    enum class Verdict {
        agrees,
        disagrees,     ///< more than 5 standard errors apart, or what the rules below have in their place
        inconclusive,  ///< the standard error is too large, relative to the value, for agreement to mean anything
        holds,         ///< of a bound: the value is on its side
        fails,         ///< of a bound: the value is on the wrong side, beyond `sampled_threshold` if it is sampled
    };
    double mean = 0;
    double std_error = 0;
    ErrorKind std_error_kind = ErrorKind::sampled;
    double z = 0;
    std::uint64_t samples = 0;
    Verdict verdict = Verdict::inconclusive;
    /// With this standard error, and means that are nearly normal: how probable `disagrees` is where the true mean is
    /// `seen_error` of the exact value away from it. Not for bounds, nor for a value of 0.
    std::optional<double> power = std::nullopt;
    /// Where the true standard error is known: the sampled one, which `disagrees` needs too, if it is finite.
    std::optional<double> sampled_error = std::nullopt;
};

[[nodiscard]] char const* name(Check::ErrorKind kind);
[[nodiscard]] char const* name(Check::Verdict verdict);

/// The error of an exact value that `Check::power` is the power to see.
inline constexpr double seen_error = 0.1;

/// Standard errors beyond which a check fails.
inline constexpr double check_threshold = 5;

/// Largest standard error, as a fraction of the exact value, with which a check can confirm it.
inline constexpr double conclusive_error = 0.1;

/// Standard errors beyond which a check fails even where `conclusive_error` is exceeded: by Chebyshev, once in 10^4
/// runs at most, whatever the tails, if the errors are exact.
inline constexpr double heavy_tail_threshold = 100;

/// Samples below which a sampled standard error refutes nothing.
inline constexpr std::uint64_t fewest_samples = 30;

/// Standard errors that a t statistic of so many samples exceeds as seldom as a normal variable does
/// `check_threshold`: the Cornish-Fisher expansion, to 1e-2 from `fewest_samples` on.
[[nodiscard]] double sampled_threshold(std::uint64_t samples);

/// Sets a sampled mean beside the exact value.
///
/// Law     the mean of independent samples; with an `exact` kind, `std_error` is the true standard deviation of it,
///         else that of a sample whose tails are light.
/// Errors  none. A standard error of 0 (a constant) asks for equality up to rounding; a sampled one of samples that are
///         all 0 may have missed everything, and refutes nothing.
[[nodiscard]] Check compare(double exact, double mean, double std_error, Check::ErrorKind kind, std::uint64_t samples);

/// The same with a sampled standard error of a variable of any tails. It collapses where the tail that carries a moment
/// is not seen: it can confirm a value, but only a gap beyond `heavy_tail_threshold` refutes one, and nothing does where all
/// samples are the same, or the error is above a fiftieth of the sampled mean, so that few samples may carry it.
[[nodiscard]] Check compare_sampled(double exact, double mean, double std_error, std::uint64_t samples);

/// Sets a sampled mean beside a bound of the exact mean: the bound fails when the mean is more than `sampled_threshold`
/// standard errors on the wrong side. Fewer than `fewest_samples` samples on the wrong side are inconclusive, and so is a
/// mean without a standard error.
[[nodiscard]] Check compare_with_upper_bound(double bound, double mean, double std_error, std::uint64_t samples);
[[nodiscard]] Check compare_with_lower_bound(double bound, double mean, double std_error, std::uint64_t samples);

}  // namespace isserlis
