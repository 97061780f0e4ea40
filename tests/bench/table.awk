# SPDX-License-Identifier: MIT
# Lines of "test, case, who, seconds, check value" as a table of ratios with our targets. The check value of a start-up
# is its peak memory in kB.
# Exit status 1 when check values of one case differ: someone computes something else.
BEGIN {
    FS = "\t"
    # At least so many times faster than the peer.
    faster["T1", "depth:1000", "boost mpq_rational"] = 100
    faster["T1", "depth:1000", "Python Fraction"] = 400
    faster["T1", "depth:10000", "boost mpq_rational"] = 1000
    faster["T1", "depth:100000", "PARI product tree"] = 1.2
    for (s = 1; s <= 3; s += 2) {
        faster["T2 rho expanded", "symbols:" s, "FLINT by hand"] = 1 / 1.5
        faster["T2 rho expanded", "symbols:" s, "PARI"] = 10
        faster["T2 rho expanded", "symbols:" s, "sympy.ring (gmpy2)"] = 15
    }
    faster["T3 curvature", "depth:1000", "boost mpq sweep"] = 100
    faster["T3 curvature", "depth:5000", "boost mpq sweep"] = 300
    # A thousand times a double sum in NumPy, which takes 7 times as long as this one in C++.
    faster["T3 double", "depth:1000", "n x n"] = 140
    faster["T4 1000 networks", "3x10", "NumPy"] = 5
    faster["T4 1000 networks", "5x20", "NumPy"] = 3.5
    faster["T4 in float", "3x10", "NumPy"] = 6
    faster["T4 in float", "5x20", "NumPy"] = 3
    # At least this share of what large products reach.
    faster["T4 1000 networks", "3x10", "dgemm, large"] = 0.45
    faster["T4 1000 networks", "5x20", "dgemm, large"] = 0.6
    faster["T4 in float", "3x10", "sgemm, large"] = 0.45
    faster["T4 in float", "5x20", "sgemm, large"] = 0.6
    faster["T8 training step", "double", "PyTorch"] = 1
    faster["T8 training step", "float", "PyTorch"] = 1
    faster["T5 Hessians", "networks:20000", "NumPy block norms"] = 3
    faster["T5 Hessians", "networks:20000", "functorch vmap"] = 100
    faster["T6 4 strands", "depth:20", "Python Fraction"] = 300
    faster["T6 8 strands", "depth:2", "Python Fraction"] = 1000
    # At most three times as long as drawing the weights and the products that the definition takes.
    n = split("norm ntk jacobian hessian mup loss-curve", sampled, " ")
    for (i = 1; i <= n; ++i) {
        for (residual = 0; residual <= 1; ++residual) {
            size = residual ? "512:30 residual" : "784,512:5,10"
            faster["T7 " sampled[i], size, "drawing, products"] = 1 / 3
            faster["T7 " sampled[i], size, "PyTorch"] = 1.5
        }
    }
    # At most so many seconds.
    within["T6 Hessian", "depth:1000"] = 1
    within["T6 Hessian", "symbolic n and L"] = 0.1
    within["T6 muP", "depth:10000"] = 1
    within["T6 muP", "n,n:100,1"] = 0.3
    within["T6 6 strands", "depth:1000"] = 5
    within["T6 Hessian^2", "depth:100"] = 5
    within["T1", "depth:10"] = 1e-5
    within["T7 normals", "2^20 by avx2"] = 2.5e-9 * 2 ^ 20
    within["T7 normals in float", "2^20 by avx2"] = 1.5e-9 * 2 ^ 20
    within["start-up", "moments 2,10:3,1"] = 1e-2
    most_memory = 30000
    row("test", "case", "ours", "peer", "time", "ratio", "target", "met")
    row("----", "----", "----", "----", "----", "-----", "------", "---")
}

{
    if (!(($1, $2, $3) in count)) {
        key = $1 SUBSEP $2
        if (!(key in people)) order[++cases] = key
        people[key] = people[key] $3 FS
    }
    times[$1, $2, $3, ++count[$1, $2, $3]] = $4
    if ($1 == "start-up") {
        if ($5 > memory) memory = $5
    } else if (check[$1, $2] == "") {
        check[$1, $2] = $5
    } else if (check[$1, $2] != $5) {
        printf "WRONG: %s %s: %s has check value %s, not %s\n", $1, $2, $3, $5, check[$1, $2]
        failed = 1
    }
}

function row(a, b, c, d, e, f, g, h) { printf "%-20s %-17s %9s  %-20s %9s %8s  %-9s %s\n", a, b, c, d, e, f, g, h }

function median(test, label, who,    n, i, j, x, sorted) {
    n = count[test, label, who]
    for (i = 1; i <= n; ++i) {
        x = times[test, label, who, i] + 0
        for (j = i - 1; j >= 1 && sorted[j] > x; --j) sorted[j + 1] = sorted[j]
        sorted[j + 1] = x
    }
    return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}

function time(seconds) {
    if (seconds < 1e-3) return sprintf("%.2f us", seconds * 1e6)
    if (seconds < 1) return sprintf("%.2f ms", seconds * 1e3)
    return sprintf("%.2f s", seconds)
}

function met(holds) { return holds ? "yes" : "NO" }

# Growth of our time per factor 10 of the case.
function exponent(test, small, large, most,    e) {
    if (!((test, small, "isserlis") in count) || !((test, large, "isserlis") in count)) return
    e = log(median(test, large, "isserlis") / median(test, small, "isserlis")) / log(10)
    row(test, large, "", "exponent from " small, "", sprintf("%.2f", e), "<= " most, met(e <= most))
}

# Growth of our time per factor 2 of the case.
function doubling(test, small, large, most,    x) {
    if (!((test, small, "isserlis") in count) || !((test, large, "isserlis") in count)) return
    x = median(test, large, "isserlis") / median(test, small, "isserlis")
    row(test, large, "", "ratio to " small, "", sprintf("%.2f", x), "<= " most, met(x <= most))
}

END {
    for (c = 1; c <= cases; ++c) {
        split(order[c], at, SUBSEP)
        ours = median(at[1], at[2], "isserlis")
        limit = within[at[1], at[2]]
        peers = 0
        n = split(people[order[c]], who, FS)
        for (i = 1; i < n; ++i) {
            if (who[i] == "isserlis") continue
            ++peers
            theirs = median(at[1], at[2], who[i])
            least = faster[at[1], at[2], who[i]]
            row(at[1], at[2], time(ours), who[i], time(theirs), sprintf("%.3g", theirs / ours),
                least == "" ? "" : sprintf(">= %.3g", least), least == "" ? "" : met(theirs / ours >= least))
        }
        if (limit != "")
            row(at[1], at[2], time(ours), "-", "", "", "<= " time(limit), met(ours <= limit))
        else if (!peers)
            row(at[1], at[2], time(ours), "-", "", "", "", "")
    }
    row("start-up", "peak memory", sprintf("%.1f MB", memory / 1000), "-", "", "", "<= 30 MB", met(memory <= most_memory))
    exponent("T1", "depth:10000", "depth:100000", 1.5)
    exponent("T3 curvature", "depth:1000", "depth:10000", 1.5)
    exponent("T3 double", "depth:1000", "depth:10000", 1.1)
    exponent("T3 samples", "samples:1000", "samples:10000", 1.1)
    exponent("T6 Hessian", "depth:1000", "depth:10000", 1.5)
    doubling("T6 muP", "depth:2500", "depth:5000", 3)
    doubling("T6 muP", "depth:5000", "depth:10000", 3)
    doubling("T6 muP", "depth:10000", "depth:20000", 3)
    exponent("T2 phi and psi", "symbols:100", "symbols:1000", 1.2)
    exit failed
}
