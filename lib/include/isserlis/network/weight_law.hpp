// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>

namespace isserlis {

/// The laws of a single weight: symmetric about 0, scaled to a stated variance.
enum class LawKind {
    gaussian,
    uniform,
    rademacher,  ///< plus or minus the standard deviation
    laplace,
    kurtosis,  ///< known by its kurtosis alone; enough for every quantity of degree at most 4 in each weight
};

/// A law over the number type R; `kurtosis_value` is used by `LawKind::kurtosis` alone.
template <class R>
struct WeightLaw {
    LawKind kind = LawKind::gaussian;
    R kurtosis_value{};
    static constexpr auto members = std::tuple{&WeightLaw::kind, &WeightLaw::kurtosis_value};

    /// E w^4 / (E w^2)^2.
    [[nodiscard]] R kurtosis() const {
        switch (kind) {
            case LawKind::gaussian: return R(3);
            case LawKind::uniform: return R(9) / R(5);
            case LawKind::rademacher: return R(1);
            case LawKind::laplace: return R(6);
            case LawKind::kurtosis: break;
        }
        return kurtosis_value;
    }
    [[nodiscard]] bool has_kurtosis_3() const {
        return kind == LawKind::gaussian || (kind == LawKind::kurtosis && kurtosis_value == R(3));
    }
};

[[nodiscard]] constexpr char const* name(LawKind kind) {
    switch (kind) {
        case LawKind::gaussian: return "gaussian";
        case LawKind::uniform: return "uniform";
        case LawKind::rademacher: return "rademacher";
        case LawKind::laplace: return "laplace";
        case LawKind::kurtosis: return "kurtosis";
    }
    return "";
}

}  // namespace isserlis
