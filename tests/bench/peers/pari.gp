\\ SPDX-License-Identifier: MIT
\\ T1 by a product tree, T2 by multivariate polynomials. Run as: gp -q -f pari.gp
\\ One line per figure, as run.sh reads them: test, case, who, CPU seconds of one call, check value.
default(parisizemax, 4 * 10^9);
p61 = 2^61 - 1;  \\ values are compared by their residues, as in ../check_value.hpp
residue(x) = lift(Mod(numerator(x), p61) / Mod(denominator(x), p61));

measure(test, label, who, f, check) = {
  my(calls = 0, start = getabstime(), value);
  while (calls == 0 || getabstime() - start < 200, value = f(); calls++);
  printf("%s\t%s\t%s\t%.9f\t%d\n", test, label, who, (getabstime() - start) / 1000. / calls, check(value));
}

\\ The matrix (m/5) [9, 15(m-1); 5, 5(m-1)] drives (rho, gamma) and (nu, (tau + 2 eta)/3); tau - eta = prod m(m-1).
width(r) = 2 + (31*r^2 + 17*r + 7) % 999;
tree(a, b) = {
  my(k, c);
  if (a == b, k = width(a) - 1; return([9, 15*k; 5, 5*k]));
  c = (a + b) \ 2;
  tree(c + 1, b) * tree(a, c);
}
moments(depth) = {
  my(M, widths, below, five, v, w, both, gap);
  M = tree(1, depth - 1);
  widths = vecprod(vector(depth - 1, r, width(r)));
  below = vecprod(vector(depth - 1, r, width(r) - 1));
  five = 5^(depth - 1);
  v = M * [9, 5]~;
  w = M * [3, 1]~;
  both = widths * w[2];
  gap = widths * below * five;
  [widths*v[1]/(5*five), widths*v[2]/(5*five), widths*w[1]/(3*five), (both + 2*gap)/(3*five), (both - gap)/(3*five)];
}
rho(widths) = {
  my(r = 9/5, g = 1, m);
  for (q = 0, 98, m = widths[q % #widths + 1]; [r, g] = [m*9/5*r + 3*m*(m - 1)*g, m*r + m*(m - 1)*g]);
  r;
}
{
  foreach([10, 100, 1000, 10000, 100000], depth,
    measure("T1", Str("depth:", depth), "PARI product tree", () -> moments(depth),
      v -> sum(i = 1, 5, i * residue(v[i])) % p61));
  foreach([['n], ['a, 'b, 'c]], widths,
    measure("T2 rho expanded", Str("symbols:", #widths), "PARI", () -> rho(widths),
      p -> residue(substvec(p, widths, [2, 3, 5][1..#widths]))));
}
quit;
