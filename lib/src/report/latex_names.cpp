// SPDX-License-Identifier: MIT
#include "latex_names.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace isserlis {
namespace {

/// `#` stands for the index with its underscore. An empty command is any.
struct Name {
    std::string_view command;
    std::string_view quantity;
    std::string_view latex;
};

constexpr Name latex_names[] = {
    // NOLINT(modernize-avoid-c-arrays): its length is that of the list
    {"", "second_moment", R"(\mathbb{E}\,b_{ij}^2{}#)"},
    {"", "rho", R"(\rho#)"},
    {"", "gamma", R"(\gamma#)"},
    {"", "nu", R"(\nu#)"},
    {"", "tau", R"(\tau#)"},
    {"", "eta", R"(\eta#)"},
    {"", "phi", R"(\varphi#)"},
    {"", "psi", R"(\psi#)"},
    {"", "weight_variance", R"(v#)"},
    {"", "parameter_variance", R"(\operatorname{var} w#)"},
    {"", "parameter_multiplier", R"(m#)"},
    {"", "rate_factor", R"(\eta#/\eta)"},
    {"", "scaling_factor", R"(S#)"},
    {"", "squared_norm_mean", R"(\mathbb{E}\,q#)"},
    {"", "squared_norm_variance", R"(\operatorname{Var} q#)"},
    {"", "log_squared_norm_mean", R"(\mathbb{E} \log q#)"},
    {"norm", "relative_variance", R"(\operatorname{Var} q# / (\mathbb{E}\,q#)^2)"},
    {"report", "relative_variance", R"(\operatorname{Var} q# / (\mathbb{E}\,q#)^2)"},
    {"jacobian", "output_mean", R"(\mathbb{E}|y|^2#)"},
    {"jacobian", "output_second_moment", R"(\mathbb{E}|y|^4#)"},
    {"jacobian", "output_variance", R"(\operatorname{Var}|y|^2#)"},
    {"jacobian", "output_relative_variance", R"(\operatorname{Var}|y|^2# / (\mathbb{E}|y|^2#)^2)"},
    {"jacobian", "jacobian_mean", R"(\mathbb{E}\|J#\|^2)"},
    {"jacobian", "jacobian_second_moment", R"(\mathbb{E}\|J#\|^4)"},
    {"jacobian", "jacobian_variance", R"(\operatorname{Var}\|J#\|^2)"},
    {"jacobian", "spectral_moment", R"(\left(\mathbb{E} \operatorname{tr} (J J^{\mathsf{T}})^p\right)#)"},
    {"jacobian", "relative_variance", R"(\operatorname{Var}\|J#\|^2 / (\mathbb{E}\|J#\|^2)^2)"},
    {"hessian", "hessian_frobenius_squared", R"(\mathbb{E}\|H#\|_F^2)"},
    {"ntk", "ntk_mean", R"(\mathbb{E}\,K#)"},
    {"ntk", "ntk_second_moment", R"(\mathbb{E}\,K#^2)"},
    {"ntk", "ntk_variance", R"(\operatorname{Var} K#)"},
    {"ntk", "ntk_trace_mean", R"(\mathbb{E} \operatorname{tr} K#)"},
    {"ntk", "ntk_trace_second_moment", R"(\mathbb{E} (\operatorname{tr} K#)^2)"},
    {"ntk", "ntk_squared_trace_mean", R"(\mathbb{E} \operatorname{tr} K#^2)"},
    {"mup", "mup_change_squared", R"(\mathbb{E} (\Delta z#)^2)"},
    {"mup", "preactivation_fourth_mean", R"(\mathbb{E}\,z#^4)"},
    {"mup", "mup_learning_rate", R"(\eta^*#)"},
};

std::string with_index(std::string_view latex, std::string const& index) {
    std::string out;
    for (char const c : latex) {
        if (c != '#') {
            out += c;
        } else if (!index.empty()) {
            out += "_{" + index + "}";
        }
    }
    return out;
}

}  // namespace

std::optional<std::string> latex_name(std::string const& command, std::string const& name, std::string const& index) {
    auto const at = std::find_if(std::begin(latex_names), std::end(latex_names), [&](Name const& n) {
        return n.quantity == name && (n.command.empty() || n.command == command);
    });
    if (at == std::end(latex_names)) return std::nullopt;
    return with_index(at->latex, index);
}

}  // namespace isserlis
