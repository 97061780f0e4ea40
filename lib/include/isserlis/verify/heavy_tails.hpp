// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/verify/check.hpp>

namespace isserlis {

/// `compare` with the true standard error beside the sampled one, of a variable of any tails. A few large samples move a
/// mean by many true errors, and the sampled error with it; where they are missing, the true error is the larger. So
/// `disagrees` has to be said by both: beyond `check_threshold` true errors, `heavy_tail_threshold` where these are above
/// `conclusive_error` of the value, and beyond `sampled_threshold` sampled ones. What the sampled error does not confirm is
/// inconclusive, and the check has that error, its kind and its z. Two samples refute nothing but a constant. In the second
/// case a right value is refuted less often than once in 10^7, of any law (docs/reliability.md has the proof).
[[nodiscard]] Check compare_with_exact_error(double exact, double mean, double std_error, double sampled_error,
                                             std::uint64_t samples);

/// The same where E X^2 is known; an X that is constant up to rounding has no error.
[[nodiscard]] Check compare_with_second_moment(double exact, double second_moment, double mean, double sampled_error,
                                               std::uint64_t samples);

/// `sampled_threshold` for a variable of this skewness: with the term skewness (2 z^2 + 1)/(6 sqrt(samples)) of the
/// Edgeworth expansion of t, at z = 5; and 130/samples, by simulation, for what it leaves out where samples are few.
[[nodiscard]] double skewed_threshold(std::uint64_t samples, double skewness);

/// `compare` with a sampled error of the mean of a variable of this skewness: where it has a long tail that few samples
/// see, the mean and its error are too small together. `skewed_threshold` takes the place of `sampled_threshold`.
[[nodiscard]] Check compare_skewed(double exact, double mean, double std_error, std::uint64_t samples, double skewness);

/// The same of the mean of log q, q the square of a Gaussian number, or the squared norm of a layer or of a gradient given
/// that it is not 0: skewed as an exponential variable is, at most. A q that is constant is sampled to the rounding of
/// doubles, which is an absolute error of its logarithm.
[[nodiscard]] Check compare_log_mean(double exact, double mean, double std_error, std::uint64_t samples);

/// `compare_sampled` where it is known what one sample has in the variance, at most: nothing is refuted where that is above
/// `conclusive_error`, as in a loss which is the same in every dead network.
[[nodiscard]] Check compare_sampled(double exact, double mean, double std_error, std::uint64_t samples,
                                    double largest_share);

}  // namespace isserlis
