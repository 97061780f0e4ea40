// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/report/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "question/block_word.hpp"
#include "question/model.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {

/// What numeric and symbolic models do differently.
struct NumericKind {
    using R = Surd;
    using Count = std::uint64_t;
    static R symbol(std::string const& name, Bindings const& bindings) { return bindings.at(name); }
    static Count count_symbol(std::string const& name, Bindings const&) {
        throw DomainError("`widths`: the repeat count " + name + " has no value", "widths");
    }
};
struct SymbolicKind {
    using R = RationalFunction;
    using Count = Exponent;
    static R symbol(std::string const& name, Bindings const& bindings) {
        auto const at = bindings.find(name);
        return at == bindings.end() ? RationalFunction::symbol(name) : RationalFunction(at->second);
    }
    static Count count_symbol(std::string const& name, Bindings const&) { return Exponent::symbol(name); }
};

/// The values of a ModelText's numbers and formulas, and of its widths.
template <class Kind>
class ModelValues {
public:
    using R = typename Kind::R;
    using Count = typename Kind::Count;

    /// `requirements` gets what symbols leave open.
    ModelValues(ModelText const& text, Bindings const& bindings, std::vector<Requirement<R>>& requirements)
        : text_(text), bindings_(bindings), requirements_(requirements) {}

protected:
    void require_positive(R const& x, std::string const& parameter) const {
        auto const s = sign_of(x);
        if (s && *s <= 0)
            throw DomainError(named(parameter) + " = " + printable(to_string(x)) + "; it has to be positive",
                              parameter);
        if (!s) requirements_.push_back({.value = x, .strict = true});
    }
    void require_at_least(R const& x, R const& bound, std::string const& parameter, std::string const& why) const {
        auto const s = sign_of(R(x - bound));
        if (s && *s < 0) throw DomainError(named(parameter) + " = " + printable(to_string(x)) + "; " + why, parameter);
        if (!s) requirements_.push_back({.value = R(x - bound), .strict = false});
    }
    /// Of what is positive where symbols are, which need not be: positive it has to be all the same.
    void state_positive(R x) const { requirements_.push_back({.value = std::move(x), .strict = true}); }
    R value(Expression const& e, std::string const& parameter) const {
        return value_by(e, parameter, [&](std::string const& name) { return Kind::symbol(name, bindings_); });
    }
    /// Of what multiplies branches: positive, with the word for the number of blocks.
    R value_of_branches(Expression const& e, std::string const& parameter) const {
        R const out = value_by(e, parameter, [&](std::string const& name) {
            bool const is_word = name == blocks_word && text_.wiring == Wiring::residual;
            return is_word ? blocks() : Kind::symbol(name, bindings_);
        });
        require_positive(out, parameter);
        return out;
    }
    static R value_by(Expression const& e, std::string const& parameter, auto const& value_of) {
        try {
            return evaluate<R>(e, value_of);
        } catch (DomainError const& error) {
            throw DomainError(named(parameter) + ": " + error.what(), parameter);
        } catch (UnsupportedError const& error) {
            throw UnsupportedError(named(parameter) + ": " + error.what(), parameter);
        }
    }

    [[nodiscard]] std::optional<Integer> bound(WidthToken const& token, char const* what) const {
        if (!token.is_symbol) return parse_integer(token.text, "widths");
        auto const at = bindings_.find(token.text);
        if (at == bindings_.end()) return std::nullopt;
        if (!is_integer(at->second) || at->second < 1) {
            throw DomainError("`set` " + token.text + " = " + printable(to_string(at->second)) + "; a " + what +
                                  " has to be a whole number from 1",
                              "set");
        }
        return numerator_of(at->second);
    }

    [[nodiscard]] std::vector<WidthRun<R, Count>> widths() const {
        std::vector<WidthRun<R, Count>> out;
        bool previous_is_counted = false;
        for (auto const& item : text_.widths) {
            auto const width = bound(item.width, "width");
            auto const count = bound(item.count, "repeat count");
            if (count && *count > max_layers) {
                throw UnsupportedError(
                    "`widths`: " + to_string(*count) + " layers; the limit is " + std::to_string(max_layers), "widths");
            }
            R const w = width ? R(*width) : Kind::symbol(item.width.text, bindings_);
            Count const c = count ? Count(static_cast<int>(*count)) : Kind::count_symbol(item.count.text, bindings_);
            // Equal neighbours are one run, however they were typed.
            if (!out.empty() && count && previous_is_counted && out.back().width == w) {
                out.back().count = out.back().count + c;
            } else {
                out.push_back({.width = w, .count = c});
            }
            previous_is_counted = count.has_value();
        }
        return out;
    }

    [[nodiscard]] std::vector<LayerRun<R, Count>> layers() const {
        auto out = layers_between(widths());
        if (out.empty())
            throw ParseError("`widths`: one width only; a network needs an input and an output, such as 2,1", "widths");
        return out;
    }

    ModelText const& text_;
    Bindings const& bindings_;

private:
    /// The residual blocks of the widths.
    [[nodiscard]] R blocks() const {
        Count layers(0);
        for (auto const& run : widths()) layers = layers + run.count;
        return from_count<R>(layers - Count(text_.projections ? 3 : 1));
    }

    std::vector<Requirement<R>>& requirements_;
};

}  // namespace isserlis::quantity
