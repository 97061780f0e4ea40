// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/log_squared_norm.hpp>
#include <isserlis/monte_carlo/typical_size.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quantity/jacobian/jacobian_check.hpp"
#include "quantity/jacobian/jacobian_request.hpp"

namespace isserlis::quantity {

/// How large ||J||^2 and the squared gradient are in a typical network: mean logarithms, exact where ||J||^2 is a
/// product over layers, and with `check` sampled ones and quantiles.
class TypicalRows {
public:
    TypicalRows(JacobianCase const& c, NumericModel const& model);

    /// Samples what is printed of these matrices; all on the same networks.
    void sample(std::vector<std::vector<std::string>> const& indices, JacobianSampling const& sampling);
    /// The rows of the matrix at `index`, whose entries have this variance.
    void add_matrix(std::vector<std::string> const& index, Surd const& variance) const;
    /// The row of dy/dx.
    void add_input() const;

private:
    struct Rows {
        std::string log;       ///< name of the mean logarithm
        std::string quantile;  ///< and of a quantile
    };
    struct Sampled {
        monte_carlo::TypicalSize jacobian;
        std::optional<monte_carlo::TypicalSize> gradient;
    };

    /// Of one layer ||J||^2 is this square times the slope of an open or closed head: its mean logarithm is 0.
    [[nodiscard]] bool is_one(Surd const& square) const;
    [[nodiscard]] Value certified(Value::Enclosure const& enclosure, std::string const& form) const;
    void add(Rows const& names, std::vector<std::string> const& index, std::optional<Value> const& exact,
             monte_carlo::TypicalSize const* sampled) const;

    JacobianCase const& c_;
    NumericModel const& model_;
    bool factors_;  ///< ||J||^2 is a product of independent layers
    bool can_die_;  ///< with a positive probability J = 0
    std::shared_ptr<LogMeanMemo> memo_ = std::make_shared<LogMeanMemo>();
    std::map<std::vector<std::string>, Sampled> sampled_;
};

}  // namespace isserlis::quantity
