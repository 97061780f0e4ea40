// SPDX-License-Identifier: MIT
// The search box: the one thing here that needs JavaScript. The index is read when the box is first used.
"use strict";
(() => {
    const here = document.currentScript.dataset.root;
    const box = document.getElementById("search");
    const list = document.getElementById("found");
    box.parentElement.hidden = false;

    const load = () => {
        if (document.getElementById("index")) return;
        const script = document.createElement("script");
        script.id = "index";
        script.src = here + "search_index.js";
        script.onload = search;
        document.head.append(script);
    };

    // Every word has to occur; in a title counts ten times, at the start of a word twice.
    const score = (entry, words) => {
        let sum = 0;
        for (const word of words) {
            const title = entry.title.toLowerCase().includes(word) ? 10 : 0;
            const at = entry.low.indexOf(word);
            if (!title && at < 0) return 0;
            sum += title + (at >= 0 ? 1 : 0) + (entry.low.includes(" " + word) ? 1 : 0);
        }
        return sum;
    };

    const search = () => {
        const words = box.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
        list.replaceChildren();
        if (!words.length || !window.siteIndex) return;
        for (const entry of window.siteIndex) entry.low ??= " " + entry.text.toLowerCase();
        const hits = window.siteIndex.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0);
        hits.sort((a, b) => b[0] - a[0]);
        for (const [, entry] of hits.slice(0, 12)) {
            const at = Math.max(0, entry.low.indexOf(words[0]) - 40);
            const link = document.createElement("a");
            link.href = here + entry.url;
            const title = document.createElement("b");
            title.textContent = entry.title;
            const text = document.createElement("span");
            text.textContent = entry.text.slice(at, at + 110);
            link.append(title, text);
            const item = document.createElement("li");
            item.append(link);
            list.append(item);
        }
        if (!hits.length) list.append(Object.assign(document.createElement("li"), {textContent: "nothing found"}));
    };

    box.addEventListener("focus", load);
    box.addEventListener("input", search);
    document.addEventListener("keydown", (event) => {
        if (event.key === "/" && document.activeElement !== box) {
            event.preventDefault();
            box.focus();
        } else if (event.key === "Escape") {
            list.replaceChildren();
            box.blur();
        }
    });
})();
