// SPDX-License-Identifier: MIT
#include <isserlis/float_data/gaussian_classes.hpp>

#include <isserlis/error.hpp>
#include <isserlis/random/stream.hpp>

namespace isserlis::float_data {
namespace {

using Index = Eigen::Index;
using ColumnVector = Eigen::VectorXd;

ColumnVector normals(Stream& stream, Index count) {
    ColumnVector out(count);
    stream.fill_normal({out.data(), static_cast<std::size_t>(count)});
    return out;
}

/// Mean, and the matrix where there is one.
struct ClassLaw {
    ColumnVector mean;
    Eigen::MatrixXd a;
};

void require_classes(GaussianClasses const& law) {
    auto const require = [](bool holds, char const* what, std::size_t value, char const* least) {
        if (!holds)
            throw DomainError(std::string("gaussian_classes: ") + what + " = " + std::to_string(value) + "; at least " +
                                  least + " is required",
                              what);
    };
    require(law.classes >= 2, "classes", law.classes, "2");
    require(law.features >= 1, "features", law.features, "1");
    require(law.samples >= 1, "samples", law.samples, "1");
    constexpr std::size_t most_features = 10'000;
    constexpr std::size_t most_numbers = std::size_t{1} << 31U;
    if (law.classes > most_classes || (law.anisotropic && law.features > most_features) ||
        law.features > most_numbers / law.samples || law.features > most_numbers / law.classes)
        throw UnsupportedError("gaussian_classes: " + std::to_string(law.classes) + " classes, " +
                                   std::to_string(law.features) + " features, " + std::to_string(law.samples) +
                                   " samples are more than are served",
                               "samples");
}

}  // namespace

template <class T>
FloatData<T> gaussian_classes(GaussianClasses const& law) {
    require_classes(law);
    auto const features = static_cast<Index>(law.features);
    std::vector<ClassLaw> laws;
    for (std::size_t c = 0; c < law.classes; ++c) {
        Stream stream(law.seed, c, StreamUse::class_laws);
        auto& of_class = laws.emplace_back();
        of_class.mean = normals(stream, features);
        if (!law.anisotropic) continue;
        ColumnVector const entries = normals(stream, features * features);
        of_class.a = Eigen::Map<mlp::Matrix<double> const>(entries.data(), features, features);
    }
    FloatData<T> out{.name = law.anisotropic ? "data 'anisotropic'" : "data 'gaussian'",
                     .inputs = mlp::Matrix<T>(features, static_cast<Index>(law.samples)),
                     .classes = law.classes};
    for (std::size_t k = 0; k < law.samples; ++k) {
        Stream stream(law.seed, k, StreamUse::examples);
        auto const& of_class = laws[k % law.classes];
        ColumnVector sample = normals(stream, features);
        if (law.anisotropic) {
            // Row by row in a fixed order: the same bits with every instruction set.
            ColumnVector const g = sample;
            for (Index i = 0; i < features; ++i) {
                double sum = 0;
                for (Index j = 0; j < features; ++j) sum += of_class.a(i, j) * g[j];
                sample[i] = sum;
            }
        }
        sample += of_class.mean;
        out.inputs.col(static_cast<Index>(k)) = sample.template cast<T>();
        out.labels.push_back(static_cast<std::uint32_t>(k % law.classes));
    }
    return out;
}

template FloatData<float> gaussian_classes(GaussianClasses const&);
template FloatData<double> gaussian_classes(GaussianClasses const&);

}  // namespace isserlis::float_data
