#!/usr/bin/env bash
# The page that `compare --html` writes, in a real browser (headless Chromium): every picture has a size and something in it, every text
# is inside its picture, every link within the page leads somewhere, nothing is loaded from elsewhere; and on a telephone, 390 pixels wide,
# nothing is wider than the page, and pictures have their own size. Skipped with a message without Chromium.
#   tests/page.sh [WARPLOOM [PAGE]]: a page of a small comparison, or this one
set -euo pipefail
cd "$(dirname "$0")/.."
warploom=${1:-target/release/warploom}

if ! command -v chromium >/dev/null; then
    echo "skipped: no chromium (apt install chromium)"
    [ -z "${WARPLOOM_REQUIRE_TOOLS:-}" ] || exit 1
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=${2:-$work/page.html}
if [ $# -lt 2 ]; then
    "$warploom" compare bitonic_shared gcd vecadd --preset tiny --size smoke --mechanisms spe,tbc,capri,dpe \
        --cache "$work/results" --html "$page" >/dev/null
fi

# The same page with a script at its end that looks at what the browser has made of it.
sed '$d' "$page" >"$work/checked.html"
cat >>"$work/checked.html" <<'EOF'
<script>
const broken = [];
const box = element => element.getBoundingClientRect();
document.querySelectorAll("svg").forEach((svg, number) => {
    const outer = box(svg);
    if (outer.width < 100 || outer.height < 50) broken.push(`picture ${number} is ${outer.width} x ${outer.height}`);
    if (svg.querySelectorAll("rect, polyline, path").length < 3) broken.push(`picture ${number} is empty`);
    for (const text of svg.querySelectorAll("text")) {
        const inner = box(text);
        const outside = inner.left < outer.left - 2 || inner.right > outer.right + 2 || inner.top < outer.top - 2 || inner.bottom > outer.bottom + 2;
        if (outside) broken.push(`picture ${number}: "${text.textContent.trim()}" is outside`);
    }
});
for (const link of document.querySelectorAll("a[href^='#']"))
    if (!document.getElementById(link.getAttribute("href").slice(1))) broken.push(`${link.href} leads nowhere`);
for (const table of document.querySelectorAll("table")) {
    const widths = new Set([...table.rows].map(row => row.cells.length));
    if (widths.size !== 1) broken.push(`a table has rows of ${[...widths]} cells`);
}
const telephone = 390;
if (!document.querySelector("meta[name=viewport]")) broken.push("there is no viewport: a telephone shows the page small");
document.documentElement.style.width = `${telephone}px`;
for (const element of document.body.children)
    if (box(element).right > telephone) broken.push(`a ${element.tagName} reaches to ${box(element).right} of ${telephone} pixels`);
document.querySelectorAll("svg").forEach((svg, number) => {
    const [drawn, shown] = [Number(svg.getAttribute("width")), box(svg).width];
    if (shown < drawn - 1) broken.push(`picture ${number} is ${shown} pixels wide on a telephone, and drawn for ${drawn}`);
});
if (performance.getEntriesByType("resource").length) broken.push("something is loaded from elsewhere");
const counts = ["svg", "table", "a"].map(name => `${document.querySelectorAll(name).length} ${name}`).join(", ");
document.documentElement.innerHTML = `<body>VERDICT ${broken.length ? "broken: " + broken.join("; ") : "whole: " + counts}</body>`;
</script>
EOF
rendered=$(chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --dump-dom "file://$work/checked.html" 2>"$work/log") || {
    cat "$work/log"
    exit 1
}
verdict=$(grep -o 'VERDICT .*' <<<"$rendered" | sed 's/<.*//')
echo "${verdict:-the browser has said nothing}"
grep -q '^VERDICT whole' <<<"$verdict"
