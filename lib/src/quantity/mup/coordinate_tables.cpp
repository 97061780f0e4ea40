// SPDX-License-Identifier: MIT
#include "quantity/mup/coordinate_tables.hpp"
#include "quantity/unchecked.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/loss_curve/curve_number.hpp>
#include <limits>
#include <string_view>
#include <utility>

namespace isserlis::quantity {
namespace {

/// E |Delta z| and E |z + Delta z|, of which no exact form is known: sampled values with their errors.
void add_sampled_absolute(char const* quantity, CoordinateLayer const& x, std::vector<std::string> const& index,
                          Answer& answer) {
    auto const at = x.sampled_absolutes.find(quantity);
    if (at == x.sampled_absolutes.end()) return;
    std::string const name = std::string(quantity) + "_absolute_mean";
    if (x.changes) {
        answer.add(name, index, CurveNumber::sampled(at->second).value(), {}, is_sampled_itself);
    } else {
        bool const change = std::string_view(quantity) == "change";
        answer.add(name, index, change ? Value(Surd(0)) : x.absolute, {}, "nothing changes");
    }
}

/// So many digits, or the fewest that are read back as this double; empty for what is no number.
std::string number(double x, int digits = std::numeric_limits<double>::max_digits10) {
    if (!std::isfinite(x)) return "";
    std::array<char, 40> buffer{};
    auto* const end = buffer.data() + buffer.size();
    bool const all = digits >= std::numeric_limits<double>::max_digits10;
    auto const written = all ? std::to_chars(buffer.data(), end, x)
                             : std::to_chars(buffer.data(), end, x, std::chars_format::general, digits);
    return {buffer.data(), written.ptr};
}

/// Exponents have commas.
std::string csv_field(std::string const& text) {
    return text.find(',') == std::string::npos ? text : "\"" + text + "\"";
}

}  // namespace

void add_layer(CoordinateLayer const& x, Answer& answer) {
    std::vector<std::string> const index{std::to_string(x.layer), to_string(x.width)};
    constexpr char const* certain = "0 by the symmetry of the weights";
    constexpr char const* by_rms = "the root of rms^2 - mean^2";
    auto check_of = [&](char const* quantity) {
        auto const at = x.rms_checks.find(quantity);
        return at == x.rms_checks.end() ? std::nullopt : std::optional(at->second);
    };
    auto const& change = x.of.at("change");
    answer.add("preactivation_mean", index, Surd(0), {}, certain);
    answer.add("preactivation_std", index, x.of.at("preactivation").std, check_of("preactivation"));
    answer.add("preactivation_absolute_mean", index, x.absolute, x.absolute_check);
    answer.add("preactivation_absolute_spread", index, x.spread, {}, "a function of mean squares and mean sizes");
    answer.add("change_mean", index, change.mean, x.mean_check, "0 for targets of mean 0");
    answer.add("change_std", index, change.std, {}, by_rms);
    answer.add("change_rms", index, change.rms, check_of("change"));
    answer.add("change_covariance", index, x.covariance, x.covariance_check);
    add_sampled_absolute("change", x, index, answer);
    answer.add("updated_mean", index, x.of.at("updated").mean, {}, "it is change_mean, which is checked");
    answer.add("updated_std", index, x.of.at("updated").std, {}, by_rms);
    answer.add("updated_rms", index, x.of.at("updated").rms, check_of("updated"));
    add_sampled_absolute("updated", x, index, answer);
}

std::string exact_table(std::vector<CoordinateLayer> const& all, int digits) {
    bool const sides = !all.empty() && !all.front().side.empty();
    std::string out = std::string(sides ? "parametrisation," : "") + "layer,width,quantity,mean,std,rms,covariance\n";
    auto const text = [&](Value const& x) { return x.decimal(digits).value_or(""); };
    for (char const* quantity : {"preactivation", "change", "updated"}) {
        for (auto const& x : all) {
            auto const& s = x.of.at(quantity);
            bool const change = std::string_view(quantity) == "change";
            if (sides) out += csv_field(x.side) + ",";
            out += std::to_string(x.layer) + "," + to_string(x.width) + "," + quantity + "," + text(s.mean) + "," +
                   text(s.std) + "," + text(s.rms) + "," + (change ? text(x.covariance) : "") + "\n";
        }
    }
    return out;
}

std::string add_measured(std::vector<MeasuredRow> const& rows, std::string const& path,
                         std::vector<CoordinateLayer> const& all, int digits, Answer& answer) {
    std::map<std::pair<std::uint64_t, Integer>, CoordinateLayer const*> by_place;
    for (auto const& x : all) by_place.emplace(std::pair(x.layer, x.width), &x);
    std::string table = "layer,width,quantity,statistic,value,exact,std_error,z,verdict,power\n";
    for (auto const& row : rows) {
        std::string const where = "`measured`: '" + printable(path) + "' line " + std::to_string(row.line);
        auto const at = by_place.find({row.layer, Integer(row.width)});
        if (at == by_place.end()) {
            std::string known;
            for (auto const& x : all) {
                std::string const place = std::to_string(x.layer) + "," + to_string(x.width);
                if (known.size() < 200) known += (known.empty() ? "" : "; ") + place;
            }
            throw DomainError(where + ": there is no layer,width of " + std::to_string(row.layer) + "," +
                                  std::to_string(row.width) + "; known are " + known,
                              "measured");
        }
        auto const& s = at->second->of.at(row.quantity);
        Value const& exact = row.statistic == "mean" ? s.mean : s.rms;
        double const value = exact.to_double();
        double const error = row.std_error.value_or(s.std.to_double() / std::sqrt(static_cast<double>(row.samples)));
        // An error of the file's own is taken at its word.
        Check check = compare(value, row.value, error, Check::ErrorKind::exact, row.samples);
        if (row.std_error) check.std_error_kind = Check::ErrorKind::sampled;
        answer.add(row.quantity + "_" + row.statistic,
                   {std::to_string(row.layer), std::to_string(row.width), std::to_string(row.line)}, exact, check);
        table += std::to_string(row.layer) + "," + std::to_string(row.width) + "," + row.quantity + "," +
                 row.statistic + "," + number(row.value) + "," + number(value, digits) + "," + number(error, digits) +
                 "," + number(check.z, digits) + "," + name(check.verdict) + "," +
                 (check.power ? number(*check.power, digits) : "") + "\n";
    }
    return table;
}

}  // namespace isserlis::quantity
