// SPDX-License-Identifier: MIT
#include <isserlis/formula/normalised_gradient.hpp>

#include <isserlis/error.hpp>
#include <isserlis/formula/log_squared_norm.hpp>

namespace isserlis {

ActiveLogMeans active_log_means(Integer const& n, unsigned bits) {
    if (n < 2)
        throw DomainError("active_log_means: width = " + to_string(n) + "; two active units need 2 or more", "widths");
    if (n > max_log_norm_width)
        throw UnsupportedError("active_log_means: width = " + to_string(n) + "; widths up to " +
                                   std::to_string(max_log_norm_width) + " are served, the sum has one term per unit",
                               "widths");
    auto const width = static_cast<unsigned long>(n);
    // As in log_relu_chi_square_mean: weights by ratios, psi(k/2) by psi(y + 1) = psi(y) + 1/y.
    unsigned const work = bits + 64 + static_cast<unsigned>(mpz_sizeinbase(n.backend().data(), 2));
    Interval before = digamma(Interval(ratio(1, 2), work));  // psi((k-1)/2)
    Interval here = digamma(Interval(1L, work));             // psi(k/2)
    Interval weight(ratio(n * (n - 1), Integer(2)), work);   // C(n, k), starting at k = 2
    Interval of_one_less(work);
    Interval of_all(work);
    for (unsigned long k = 2; k <= width; ++k) {
        of_one_less = of_one_less + weight * before;
        of_all = of_all + weight * here;
        Interval const next = before + Interval(ratio(Integer(2), Integer(k - 1)), work);
        before = here;
        here = next;
        weight = weight * Interval(ratio(Integer(width - k), Integer(k + 1)), work);
    }
    Interval const all(Integer(power(Integer(2), width) - 1 - n), work);
    Interval const two = log(Interval(2L, work));
    return {.of_one_less = two + of_one_less / all, .of_all = two + of_all / all};
}

Interval rms_gradient_log_ratio(FullyConnected<Surd, std::uint64_t> const& net, std::uint64_t layer, Surd const& square,
                                unsigned bits) {
    constexpr char const* who = "rms_gradient_log_ratio";
    check_layers(net, who);
    Surd const slope = net.activation.gate().negative;
    bool const open = slope * slope == Surd(1);
    if (!open && !slope.is_zero())
        throw UnsupportedError(std::string(who) + ": linear and ReLU units are served", "activation");
    std::uint64_t layers = 0;
    Integer below = 0;
    Integer width = 0;
    for (auto const& run : net.layers) {
        bool const here = layer > layers && layer <= layers + run.count;
        if (here) {
            below = numerator_of((layer == layers + 1 ? run.fan_in : run.fan_out).to_rational());
            width = numerator_of(run.fan_out.to_rational());
        }
        layers += run.count;
    }
    if (layer < 1 || layer + 1 >= layers)
        throw DomainError(std::string(who) + ": layer " + std::to_string(layer) + " of " + std::to_string(layers) +
                              "; those below the last hidden one are served",
                          "layer");
    if (below < 2 || width < 2)
        throw DomainError(std::string(who) + ": a layer of one entry; 2 or more are required", "widths");
    unsigned const work = bits + 24;
    Interval const one_less = log_chi_square_mean(width - 1, work);
    Interval const active = open ? one_less : active_log_means(width, work).of_one_less;
    Interval const all = log_chi_square_mean(width, work);
    // log |h^(l-1)|^2
    Interval norm = layer == 1 ? log(enclose(square, work)) : log(Interval(below, work));
    if (layer > 1 && !open) norm = norm + active_log_means(below, work).of_all - log_chi_square_mean(below, work);
    return log_chi_square_mean(below - 1, work) + log(Interval(width, work)) - norm + active - one_less - all;
}

}  // namespace isserlis
