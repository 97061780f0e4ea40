// SPDX-License-Identifier: MIT
// Reads [[TeX, display], ..] as JSON from standard input, writes the HTML of each as JSON; ends at the first that fails.
const katex = require("/usr/share/nodejs/katex");
const formulas = JSON.parse(require("fs").readFileSync(0, "utf8"));
const html = formulas.map(([tex, display]) =>
    katex.renderToString(tex, {displayMode: display, throwOnError: true, strict: "ignore"}));
process.stdout.write(JSON.stringify(html));
