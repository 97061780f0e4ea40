// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/pair_correction.hpp>
#include <isserlis/formula/width_correction.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/value.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace isserlis::quantity {

/// The values of all rows at one precision are found together, and kept.
class Kernels {
public:
    Kernels(WideNetwork network, InputGram inputs, std::vector<Rational> relative_widths, bool with_pairs)
        : with_pairs_(with_pairs),
          known_(std::make_shared<Known>(Known{.network = std::move(network),
                                               .inputs = std::move(inputs),
                                               .relative_widths = std::move(relative_widths),
                                               .layers = {},
                                               .corrections = {},
                                               .pairs = {}})) {}

    using Pick = Enclosed const& (*)(WideKernels const&);

    /// Rational where the recursion stays so.
    [[nodiscard]] Value value(std::uint64_t layer, Pick pick, char const* form) const {
        constexpr unsigned few_bits = 64;
        if (may_be_exact(layer))
            if (auto const* exact = pick(known_->at(few_bits)[layer - 1]).exact()) return Value(Surd(*exact));
        return Value::certified(
            [known = known_, layer, pick](unsigned bits) {
                unsigned const work = bits + guard_bits;
                return pick(known->at(work)[layer - 1]).enclose(work);
            },
            form);
    }
    [[nodiscard]] Value correlation(std::uint64_t layer) const {
        auto const of = [layer](Known& known, unsigned bits) {
            PairCovariance const& k = known.at(bits)[layer - 1].kernel;
            return k.uv.enclose(bits) / sqrt(Enclosed(k.uu * k.vv).enclose(bits));
        };
        constexpr unsigned few_bits = 64;
        if (may_be_exact(layer)) {
            PairCovariance const& k = known_->at(few_bits)[layer - 1].kernel;
            if (k.uv.exact() != nullptr && *k.uv.exact() == 0) return Value(Surd(0));
            if (k.uu.exact() != nullptr && k.uv.exact() != nullptr && k.vv.exact() != nullptr)
                return Value(Surd(*k.uv.exact()) / sqrt(Rational(*k.uu.exact() * *k.vv.exact())));
        }
        return Value::certified([known = known_, of](unsigned bits) { return of(*known, bits + guard_bits); },
                                "K(x,y)/sqrt(K(x,x) K(y,y))");
    }

    /// Of finite width, at the first input.
    [[nodiscard]] Value correction(std::uint64_t layer, Enclosed WidthCorrection::*member, char const* form) const {
        constexpr unsigned few_bits = 64;
        if (may_be_exact(layer))
            if (auto const* exact = (known_->corrections_at(few_bits)[layer - 1].*member).exact())
                return Value(Surd(*exact));
        if (layer == 2 && member != &WidthCorrection::vertex) return Value(Surd(0));
        return Value::certified(
            [known = known_, layer, member](unsigned bits) {
                unsigned const work = bits + guard_bits;
                return (known->corrections_at(work)[layer - 1].*member).enclose(work);
            },
            form);
    }

    /// At both inputs.
    [[nodiscard]] Value pair_correction(std::uint64_t layer, Enclosed PairCorrection::*member, char const* form) const {
        if (!with_pairs_) return Value::absent("takes longer than a minute; ask for fewer layers or fewer `digits`");
        InputGram const& g = known_->inputs;
        bool const is_gate = std::holds_alternative<Gate<Rational>>(known_->network.unit);
        if (is_gate && g.xy < 0 && g.xy * g.xy == g.xx * g.yy && known_->network.bias_variance == 0)
            return Value::absent("not served for inputs of opposite directions");
        constexpr unsigned few_bits = 64;
        try {
            if (auto const* exact = (known_->pairs_at(few_bits)[layer - 1].*member).exact()) return Value(Surd(*exact));
        } catch (UnsupportedError const& e) {
            return Value::absent(reason(e));
        }
        return Value::certified(
            [known = known_, layer, member](unsigned bits) {
                unsigned const work = bits + guard_bits;
                return (known->pairs_at(work)[layer - 1].*member).enclose(work);
            },
            form);
    }

private:
    [[nodiscard]] bool may_be_exact(std::uint64_t layer) const {
        return layer == 1 || known_->inputs.xy == 0 || std::holds_alternative<Gate<Rational>>(known_->network.unit);
    }

    struct Known {
        WideNetwork network;
        InputGram inputs;
        std::vector<Rational> relative_widths;
        std::map<unsigned, std::vector<WideKernels>> layers;
        std::map<unsigned, std::vector<WidthCorrection>> corrections;
        std::map<unsigned, std::vector<PairCorrection>> pairs;

        std::vector<WideKernels> const& at(unsigned bits) {
            return found_in(layers, bits, [&](unsigned work) { return wide_kernels(network, inputs, work); });
        }
        std::vector<WidthCorrection> const& corrections_at(unsigned bits) {
            return found_in(corrections, bits, [&](unsigned work) {
                return width_corrections(network, inputs.xx, work, relative_widths);
            });
        }
        std::vector<PairCorrection> const& pairs_at(unsigned bits) {
            // Each layer widens the enclosures by some bits, most of them where a bend meets two inputs that come together.
            unsigned const bits_of_a_layer = std::holds_alternative<Gate<Rational>>(network.unit) ? 5 : 2;
            unsigned const more = bits_of_a_layer * static_cast<unsigned>(network.hidden_layers);
            return found_in(pairs, bits, [&](unsigned work) {
                return pair_corrections(network, inputs, relative_widths, work + more);
            });
        }

        template <class Layers, class Find>
        Layers const& found_in(std::map<unsigned, Layers>& known, unsigned bits, Find const& find) {
            auto const found = known.find(bits);
            if (found != known.end()) return found->second;
            // Layer by layer enclosures widen: one that reaches 0 has to be found again with more bits.
            constexpr unsigned most_attempts = 7;
            unsigned work = bits;
            for (unsigned attempt = 1;; ++attempt, work *= 2) {
                try {
                    return known.emplace(bits, find(work)).first->second;
                } catch (DomainError const&) {
                    if (attempt == most_attempts) throw;
                }
            }
        }
    };
    bool with_pairs_;
    std::shared_ptr<Known> known_;
};

}  // namespace isserlis::quantity
