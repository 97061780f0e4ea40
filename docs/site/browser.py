# SPDX-License-Identifier: MIT
"""Opens the pages of a site in headless Chromium, from their files, and says what a reader would stumble over."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

WIDTHS = {360: 800, 1440: 900}
COLOURS = ("light", "dark")

# What is wrong with the page as it is drawn: its width, pictures, small letters, letters hard to tell from the paper.
LOOK = """(() => {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > WIDTH) found.push(`is ${root.scrollWidth} pixels wide`);
    for (const image of document.images) if (!image.naturalWidth) found.push(`does not show ${image.src}`);
    const channel = (value) => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const weight = [0.2126, 0.7152, 0.0722];
    const light = (colour) => weight.reduce((sum, part, i) => sum + part * channel(colour[i]), 0);
    const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const paper = (node) => {
        for (; node; node = node.parentElement) {
            const colour = parts(getComputedStyle(node).backgroundColor);
            if (colour.length < 4 || colour[3] > 0) return colour;
        }
        return [255, 255, 255];
    };
    const told = new Set();
    for (const node of document.querySelectorAll("body *")) {
        if (![...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())) continue;
        if (!node.checkVisibility() || ["SCRIPT", "ANNOTATION"].includes(node.tagName.toUpperCase())) continue;
        const style = getComputedStyle(node);
        const formula = node.closest(".katex");
        const [a, b] = [light(parts(style.color)), light(paper(node))].sort((x, y) => y - x);
        const name = `${node.tagName.toLowerCase()}.${node.className}`;
        const contrast = (a + 0.05) / (b + 0.05);
        if (contrast < 4.5) told.add(`${name} has a contrast of ${contrast.toFixed(1)}`);
        if (!formula && parseFloat(style.fontSize) < 11) told.add(`${name} has letters of ${style.fontSize}`);
    }
    return [...found, ...told];
})()"""


class Chromium:
    """The browser at the other end of two pipes, with messages of DevTools that end in a zero byte."""

    def __init__(self, program, folder):
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()
        shell = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["sh", "-c", shell, program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
             f"--user-data-dir={folder}", "--remote-debugging-pipe"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.rest, self.number, self.session, self.events = b"", 0, None, []

    def message(self):
        while b"\0" not in self.rest:
            read = os.read(self.into, 1 << 16)
            if not read:
                sys.exit("browser.py: Chromium ended early")
            self.rest += read
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.out, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"browser.py: {method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())

    def start(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def complaints(self):
        """What the page wrote to the console, and what it threw."""
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                yield "writes " + parameters["entry"]["text"]
            elif (event.get("method") == "Runtime.consoleAPICalled"
                  and parameters["type"] in ("error", "warning", "assert")):
                yield "writes " + str(parameters["args"][0].get("value"))
            elif event.get("method") == "Runtime.exceptionThrown":
                yield "throws " + parameters["exceptionDetails"]["text"]

    def colour(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def open(self, path, width):
        self.events = []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=WIDTHS[width], deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Page.navigate", url="file://" + path)
        self.wait_for("Page.loadEventFired")

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        return answer["result"].get("value")

    def end(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(timeout=60)


def searched(browser, site):
    """The search box finds a page by a word of it."""
    browser.open(os.path.join(site, "index.html"), 1440)
    hits = browser.evaluate("""new Promise((done) => {
        const box = document.getElementById("search");
        box.value = "wishart";
        box.focus();
        setTimeout(() => done([...document.querySelectorAll("#found a")].map((link) => link.textContent)), 1500);
    })""")
    there = any("Wishart" in hit for hit in hits or [])
    return [] if there else [f"index.html: the search finds no Wishart, but {hits}"]


def offences(site, pages):
    """(number of pages opened, what is wrong with them)"""
    program = shutil.which("chromium")
    if program is None:
        sys.exit("check.py: no chromium; apt-get install -y --no-install-recommends chromium, or --no-browser")
    found = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Chromium(program, folder)
        browser.start()
        for page in pages:
            for width in WIDTHS:
                browser.open(os.path.join(site, page), width)
                seen = list(browser.complaints())
                for name in COLOURS:
                    browser.colour(name)
                    seen += [f"{said} ({name})" for said in browser.evaluate(LOOK.replace("WIDTH", str(width)))]
                found += [f"{page} at {width} pixels: {said}" for said in seen]
        found += searched(browser, site)
        browser.end()
    return len(pages), found
