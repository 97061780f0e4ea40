# SPDX-License-Identifier: MIT
# Makes Doxygen read a docstring as meant: Law, Shape, Units, Errors, Source begin entries, all else is plain text.
match($0, /^ *\/\/\/[!<]? ?/) {
    head = substr($0, 1, RLENGTH)
    text = substr($0, RLENGTH + 1)
    sub(/^ +/, "", text)
    entry = ""
    if (match(text, /^(Law|Shape|Units|Errors|Source) +/)) {
        entry = "@item{" substr(text, 1, index(text, " ") - 1) "} "
        text = substr(text, RLENGTH + 1)
    }
    print head entry plain(text)
    next
}
match($0, / \/\/\/< /) {
    print substr($0, 1, RSTART + RLENGTH - 1) plain(substr($0, RSTART + RLENGTH))
    next
}
{ print }

# What stands between backticks is left to Markdown; elsewhere no sign is a command or markup.
function plain(text,    parts, n, i, out) {
    n = split(text, parts, "`")
    for (i = 1; i <= n; ++i) {
        if (i % 2) {
            gsub(/\\/, "\\\\\\\\", parts[i])
            gsub(/[*_<>#@&|]/, "\\\\&", parts[i])
            gsub(/"/, "\\&quot;", parts[i])
        }
        out = out (i > 1 ? "`" : "") parts[i]
    }
    return out
}
