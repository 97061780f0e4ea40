// SPDX-License-Identifier: MIT
#include <isserlis/report/product_text.hpp>

#include <isserlis/ring/parse.hpp>

namespace isserlis {
namespace {

using R = RationalFunction;
using Values = std::map<std::string, R>;

R value_of(std::string const& text, Values const& values) {
    return evaluate<R>(Expression::parse(text, "form"), [&](std::string const& name) {
        auto const at = values.find(name);
        return at == values.end() ? R::symbol(name) : at->second;
    });
}

Integer whole(std::string const& text, Values const& values) {
    return numerator_of(value_of(text, values).evaluate({}).to_rational());
}

}  // namespace

std::set<std::string> ProductText::symbols() const {
    auto out = Expression::parse(outside, "form").symbols();
    for (std::size_t i = 1; i <= products.size(); ++i) out.erase("Product" + std::to_string(i));
    for (auto const& p : products) {
        auto term = Expression::parse(p.term, "form").symbols();
        term.erase("l");
        out.merge(term);
        out.merge(Expression::parse(p.from, "form").symbols());
        out.merge(Expression::parse(p.to, "form").symbols());
    }
    return out;
}

std::optional<ProductText> read_products(std::string const& form) {
    std::string const start = "Product(";
    ProductText out{.outside = form, .products = {}};
    std::string& text = out.outside;
    for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
        auto const range = text.find(", (l, ", at);
        auto const comma = range == std::string::npos ? range : text.find(", ", range + 6);
        auto const end = comma == std::string::npos ? comma : text.find("))", comma);
        if (end == std::string::npos) return std::nullopt;
        auto const part = [&](std::size_t from, std::size_t to) { return text.substr(from, to - from); };
        out.products.push_back(
            {.term = part(at + start.size(), range), .from = part(range + 6, comma), .to = part(comma + 2, end)});
        text.replace(at, end + 2 - at, "Product" + std::to_string(out.products.size()));
    }
    return out.products.empty() ? std::nullopt : std::optional(out);
}

std::optional<R> formula_at(std::string const& text, std::map<std::string, Rational> const& values) {
    Values at;
    for (auto const& [name, value] : values) at.emplace(name, R(value));
    if (auto const form = read_products(text)) {
        Values with = at;
        for (std::size_t i = 0; i < form->products.size(); ++i) {
            auto const& p = form->products[i];
            R product(1);
            Values inside = at;
            for (Integer l = whole(p.from, at); l <= whole(p.to, at); ++l) {
                inside.insert_or_assign("l", R(Rational(l)));
                product = product * value_of(p.term, inside);
            }
            with.insert_or_assign("Product" + std::to_string(i + 1), product);
        }
        return value_of(form->outside, with);
    }
    try {
        return value_of(text, at);
    } catch (ParseError const&) {
        return std::nullopt;  // words
    }
}

}  // namespace isserlis
