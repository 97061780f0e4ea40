// SPDX-License-Identifier: MIT
#include <isserlis/strand/bundle.hpp>

#include <algorithm>

namespace isserlis {

std::string to_string(Bundle const& bundle) {
    // Letters by order of appearance: i, j, k, ..; labels m, n, o, ..
    std::string out;
    auto letter = [&](unsigned l) {
        if (bundle.letters[l] != 0) return std::to_string(bundle.letters[l]);
        auto const summed = std::count(bundle.letters.begin(), bundle.letters.begin() + l, 0U);
        return std::string(1, static_cast<char>('i' + summed));
    };
    for (unsigned s = 0; s < bundle.strands.size(); ++s) {
        auto const& strand = bundle.strands[s];
        std::string labels;
        for (std::size_t l = 0; l < bundle.labels.size(); ++l) {
            auto const& carriers = bundle.labels[l].strands;
            if (std::find(carriers.begin(), carriers.end(), s) == carriers.end()) continue;
            labels += (labels.empty() ? ";" : ",") + bundle.labels[l].name + std::to_string(l + 1);
        }
        if (strand.end_letter) {
            out += (out.empty() ? "" : " ") +
                   std::string(strand.matrix      ? "W["
                               : strand.activated ? "Jh["
                                                  : "J[") +
                   letter(strand.letter) + "," + letter(*strand.end_letter) + "]";
            continue;
        }
        out += (out.empty() ? "" : " ") + std::string(strand.activated ? "h[" : "z[") + letter(strand.letter) + labels +
               "]";
    }
    for (auto const& c : bundle.constants) {
        std::string letters;
        for (unsigned const l : c.letters) letters += (letters.empty() ? "" : ",") + letter(l);
        out += (out.empty() ? "" : " ") + c.name + "[" + letters + "]";
    }
    return out.empty() ? "1" : out;
}

}  // namespace isserlis
