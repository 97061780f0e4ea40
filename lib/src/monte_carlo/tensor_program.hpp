// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace isserlis::monte_carlo::detail {

/// Entries of a buffer along named axes; an axis that is not named is at a fixed place, which `offset` contains.
struct TensorView {
    std::size_t buffer = 0;
    std::size_t offset = 0;
    std::vector<std::size_t> axes;     ///< each once
    std::vector<std::size_t> strides;  ///< one per axis

    /// Moves along this axis too; a second time along the same axis is the diagonal.
    void add_axis(std::size_t axis, std::size_t stride);
};

/// Sums of products of tensors, planned once and carried out for many values of the buffers.
///
/// Law     none.
/// Shape   products are broken up into pairs in the cheapest order; an axis is summed as soon as no other factor has
///         it. Buffers that no step writes to are the caller's to fill.
/// Units   those of the factors.
/// Errors  UnsupportedError when all buffers together exceed 2^25 numbers.
/// Source  this library
class TensorProgram {
public:
    /// Numbers that one thread keeps.
    using Memory = std::vector<std::vector<double>>;

    TensorProgram();

    [[nodiscard]] std::size_t add_axis(std::size_t size);
    [[nodiscard]] std::size_t add_buffer(double size);
    /// A dense tensor with these axes, the last one contiguous.
    [[nodiscard]] TensorView add_tensor(std::vector<std::size_t> const& axes);
    void clear(TensorView const& whole);
    /// out += coefficient * the sum of the product over all axes that `out` has not.
    void add_product(TensorView const& out, double coefficient, std::vector<TensorView> factors);
    /// The entries of a whole buffer to a power, in a new buffer.
    [[nodiscard]] std::size_t add_power(std::size_t buffer, unsigned power);

    /// What `plan` adds is carried out by run_first: buffers that depend on it are then the caller's to fill before `run`.
    template <class F>
    void first(F const& plan) {
        std::swap(steps_, first_steps_);
        plan();
        std::swap(steps_, first_steps_);
    }

    /// Multiplications and additions of one run.
    [[nodiscard]] double work() const { return work_; }
    [[nodiscard]] std::vector<std::size_t> const& buffer_sizes() const { return sizes_; }
    [[nodiscard]] Memory memory() const;
    void run_first(Memory& memory) const { run(first_steps_, memory); }
    void run(Memory& memory) const { run(steps_, memory); }

private:
    struct Loop {
        std::size_t size = 1;
        std::size_t a = 0;
        std::size_t b = 0;
        std::size_t c = 0;
    };
    struct Step {
        enum class Kind { clear, multiply, power };
        Kind kind = Kind::multiply;
        std::size_t a = 0;  ///< buffers
        std::size_t b = 0;
        std::size_t c = 0;
        std::size_t a_offset = 0;
        std::size_t b_offset = 0;
        std::size_t c_offset = 0;
        double coefficient = 1;
        unsigned exponent = 1;
        std::vector<Loop> loops;  ///< outermost first, at least one
    };

    [[nodiscard]] double entries(std::vector<std::size_t> const& axes) const;
    void multiply(TensorView const& out, double coefficient, TensorView const& a, TensorView const& b);
    static void run(std::vector<Step> const& steps, Memory& memory);
    static void carry_out(Step const& step, double const* a, double const* b, double* c, std::size_t depth);

    std::vector<std::size_t> axis_sizes_;
    std::vector<std::size_t> sizes_;
    double total_size_ = 0;
    std::vector<Step> first_steps_;
    std::vector<Step> steps_;
    TensorView one_;  ///< the number 1, without axes
    double work_ = 0;
};

}  // namespace isserlis::monte_carlo::detail
