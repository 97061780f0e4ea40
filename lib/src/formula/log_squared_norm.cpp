// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/formula/log_squared_norm.hpp>
#include <map>

namespace isserlis {

Interval log_chi_square_mean(Integer const& n, unsigned bits) {
    return log(Interval(2L, bits)) + digamma(Interval(ratio(n, Integer(2)), bits));
}

Interval log_relu_chi_square_mean(Integer const& n, unsigned bits) {
    if (n > max_log_norm_width) {
        throw UnsupportedError("log_relu_chi_square_mean: width = " + to_string(n) + "; widths up to " +
                                   std::to_string(max_log_norm_width) + " are served, the sum has one term per unit",
                               "WIDTHS");
    }
    auto const width = static_cast<unsigned long>(n);
    // The binomial weights are carried by ratios: each step loses a rounding, hence the extra bits.
    unsigned const work = bits + 64 + static_cast<unsigned>(mpz_sizeinbase(n.backend().data(), 2));
    // psi(k/2) by psi(y + 1) = psi(y) + 1/y, for odd and even k apart.
    Interval odd = digamma(Interval(ratio(1, 2), work));
    Interval even = digamma(Interval(1L, work));
    Interval weight(n, work);  // C(n, k), starting at k = 1
    Interval sum(work);
    for (unsigned long k = 1; k <= width; ++k) {
        Interval& psi = k % 2 == 1 ? odd : even;
        sum = sum + weight * psi;
        psi = psi + Interval(ratio(Integer(2), Integer(k)), work);
        weight = weight * Interval(ratio(Integer(width - k), Integer(k + 1)), work);
    }
    Integer const alive = power(Integer(2), width) - 1;
    return log(Interval(2L, work)) + sum / Interval(alive, work);
}

Interval relative_log_norm_mean(FullyConnected<Surd, std::uint64_t> const& net, Reading reading, unsigned bits) {
    Surd const slope = net.activation.gate_slope();
    bool const plain = slope == Surd(1) || slope == Surd(-1);
    bool const relu = slope.is_zero();
    if (!plain && !relu) {
        throw UnsupportedError("relative_log_norm_mean: slope = " + to_string(slope) +
                                   "; the mean logarithm is a digamma sum for linear and ReLU units only",
                               "--activation");
    }
    unsigned const work = bits + 64;
    std::map<Integer, Interval> plain_means;
    std::map<Integer, Interval> relu_means;
    auto unit_mean = [&](Surd const& width, bool gated) -> Interval const& {
        Integer const n = numerator_of(width.to_rational());
        auto& table = gated ? relu_means : plain_means;
        auto at = table.find(n);
        if (at == table.end()) {
            at = table.emplace(n, gated ? log_relu_chi_square_mean(n, work) : log_chi_square_mean(n, work)).first;
        }
        return at->second;
    };
    Interval sum(work);
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        bool const last_run = i + 1 == net.layers.size();
        Integer const count = run.count;
        sum = sum + Interval(count, work) * log(enclose(run.variance, work));
        Integer const gated = last_run ? Integer(count - 1) : count;
        if (gated > 0) sum = sum + Interval(gated, work) * unit_mean(run.fan_out, relu);
        if (last_run) sum = sum + unit_mean(run.fan_out, relu && reading == Reading::activation);
    }
    return sum;
}

}  // namespace isserlis
