// SPDX-License-Identifier: MIT
#include "quantity/log_slope.hpp"

#include <map>
#include <memory>

namespace isserlis::quantity {

Value::Enclosure remembered(Value::Enclosure const& of) {
    constexpr unsigned step = 256;
    return [of, known = std::make_shared<std::map<unsigned, Interval>>()](unsigned bits) {
        unsigned const at = (bits / step + 1) * step;
        auto found = known->find(at);
        if (found == known->end()) found = known->emplace(at, of(at)).first;
        return found->second;
    };
}

Value local_exponent(Value::Enclosure const& here, Value::Enclosure const& there, Rational const& by,
                     Rational const& power, std::string const& form) {
    return Value::certified(
        [=](unsigned bits) {
            unsigned const work = bits + 2 * guard_bits;
            return Interval(power, work) * (log(there(work)) - log(here(work))) / log(Interval(by, work));
        },
        form);
}

Value fitted_exponent(std::vector<std::pair<Integer, Value::Enclosure>> const& points, Rational const& power,
                      std::string const& form) {
    return Value::certified(
        [=](unsigned bits) {
            unsigned const work = bits + 2 * guard_bits;
            Interval const count(Integer(points.size()), work);
            Interval mean(work);
            for (auto const& [x, y] : points) mean = mean + log(Interval(x, work));
            mean = mean / count;
            // Of the mean of log y the sum of x - mean leaves nothing.
            Interval both(work);
            Interval square(work);
            for (auto const& [x, y] : points) {
                Interval const off = log(Interval(x, work)) - mean;
                both = both + off * log(y(work));
                square = square + off * off;
            }
            return Interval(power, work) * both / square;
        },
        form);
}

}  // namespace isserlis::quantity
