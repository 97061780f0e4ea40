// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "layers.hpp"
#include "model.hpp"
#include "sampling_model.hpp"
#include "session.hpp"

namespace isserlis::cli {

[[nodiscard]] Command report_command();
[[nodiscard]] Command list_command();
[[nodiscard]] Command moments_command();
[[nodiscard]] Command products_command();
[[nodiscard]] Command init_command();
[[nodiscard]] Command scaling_factor_command();
[[nodiscard]] Command norm_command();
[[nodiscard]] Command expect_command();
[[nodiscard]] Command loss_curve_command();
[[nodiscard]] Command form_command();
[[nodiscard]] Command hessian_command();
[[nodiscard]] Command ntk_command();
[[nodiscard]] Command mup_command();
[[nodiscard]] Command coord_check_command();
[[nodiscard]] Command jacobian_command();

template <class Count>
using Places = std::vector<LayerPlace<Count>>;

// What a command prints of one network, at the layers asked for; `report` puts them together.

void add_moments(NumericModel const& model, Places<std::uint64_t> const& places, Session const& session,
                 Answer& answer);
void add_moments(SymbolicModel const& model, Places<Exponent> const& places, Session const& session, Answer& answer);

/// phi and psi of all pairs of a shallow network; from layer 1 to each place of a deep one, or of symbolic depth.
void add_chosen_products(NumericModel const& model, Places<std::uint64_t> const& places, Session const& session,
                         Answer& answer);
void add_chosen_products(SymbolicModel const& model, Places<Exponent> const& places, Session const& session,
                         Answer& answer);

void add_init(NumericModel const& model, ModelText const& text, Places<std::uint64_t> const& places,
              Session const& session, Answer& answer);
void add_init(SymbolicModel const& model, ModelText const& text, Places<Exponent> const& places, Session const& session,
              Answer& answer);

struct NormRequest {
    unsigned order = 2;
    bool preactivations = false;
    bool order_was_asked = false;
};
void add_norms(NumericModel const& model, NormRequest const& request, Places<std::uint64_t> const& places,
               Session const& session, Answer& answer);
void add_norms(SymbolicModel const& model, NormRequest const& request, Places<Exponent> const& places,
               Session const& session, Answer& answer);

/// S_N of one network, its two factors, and its rate relative to itself, under the index k.
void add_scaling_factor(std::vector<LayerRun<Surd, std::uint64_t>> const& layers, std::string const& k, Answer& answer);
void add_scaling_factor(std::vector<LayerRun<RationalFunction, Exponent>> const& layers, std::string const& k,
                        Answer& answer);

/// Evaluates `fill` for each network of WIDTHS...; several networks put their number before every index.
void for_each_network(Session const& session, Bindings const& bindings, ModelOptions const& options, Answer& answer,
                      std::string const& kurtosis_option, std::function<void(ModelText const&)> const& fill,
                      bool any_wiring = false);

}  // namespace isserlis::cli
