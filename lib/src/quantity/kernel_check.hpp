// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/width_correction.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/width_correction_sampler.hpp>
#include <isserlis/verify/check.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "question/session.hpp"

namespace isserlis::quantity {

/// Why rows of infinite width are unchecked there.
inline constexpr char const* not_of_smooth_units =
    "kernels of relu, leaky and linear units are sampled, of smooth ones rows of order 1/n alone";

// Finite networks beside what finite width adds to order 1/n.

/// Two inputs of two coordinates with these products, "x" and "y".
[[nodiscard]] std::map<std::string, std::vector<double>> sampled_inputs(InputGram const& gram);

inline constexpr std::uint64_t sampled_width = 8;
inline constexpr std::uint64_t last_exact_layer = 2;  ///< the means of infinite width are those of any width up to it

/// A network of `layers` weight layers on so many coordinates, in the NTK parametrisation, biases among the parameters.
[[nodiscard]] monte_carlo::GraphModel sampled_network(Gate<Rational> const& gate, WideNetwork const& network,
                                                      std::size_t inputs, std::size_t layers);

/// The layers of which networks are drawn: the first has no hidden units, and deeper ones take long.
inline constexpr std::uint64_t first_corrected_layer = 2;
inline constexpr std::uint64_t last_corrected_layer = 5;

/// The hidden widths of the narrower networks, and n; none where n times the relative widths are whole for no small n.
struct CorrectedWidths {
    std::vector<std::uint64_t> hidden;
    std::uint64_t n;
};
[[nodiscard]] std::optional<CorrectedWidths> corrected_widths(WideNetwork const& network,
                                                              std::vector<Rational> const& relative_widths);

/// Of pre-activations of a layer, by networks that end there; `at_infinity` has the kernels of infinite width.
/// Errors  those of `require_feasible` and of the sampler.
[[nodiscard]] monte_carlo::WidthCorrectionEstimates sampled_corrections(monte_carlo::FiniteWidths at_infinity,
                                                                        CorrectedWidths const& widths,
                                                                        std::uint64_t layer, Session const& session);

/// Of what is known up to O(1/n^2): it can agree, and what does not is inconclusive.
[[nodiscard]] Check compared_to_order(double exact, monte_carlo::Estimate const& sampled);

/// One line on that.
[[nodiscard]] std::string corrections_text(CorrectedWidths const& widths);

}  // namespace isserlis::quantity
