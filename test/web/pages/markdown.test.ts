import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markdown } from "../../../server/web/pages/markdown.js";
import { cpuMs } from "../../helpers/cpu-time.js";

const shown = (text: string) =>
  markdown(text, (target) => (target === "known.md" ? "/docs/known" : undefined)).text;

describe("a document as markup", () => {
  it("has headings with anchors", () => {
    expect(shown("# `a` & b\n\n### Who may, change it?")).toBe(
      '<h1 id="a--b"><code>a</code> &amp; b</h1><h3 id="who-may-change-it">Who may, change it?</h3>',
    );
  });

  it("has code, strong words and links in paragraphs", () => {
    expect(shown("one **two `3`** `**[4](5)**`\n[six `]`](known.md)")).toBe(
      '<p>one <strong>two <code>3</code></strong> <code>**[4](5)**</code>\n<a href="/docs/known">six <code>]</code></a></p>',
    );
    expect(shown("[a](https://a.org) [b](#b) [c](unknown.md) [d](javascript:alert)")).toBe(
      '<p><a href="https://a.org">a</a> <a href="#b">b</a> c d</p>',
    );
  });

  it("has tables with bars in their cells", () => {
    expect(shown("| a | |\n| --- | --- |\n| `b \\| c` | d |")).toContain(
      '<tr><th scope="col">a</th><th scope="col"></th></tr></thead>\n<tbody><tr><td><code>b | c</code></td><td>d</td></tr></tbody>',
    );
  });

  it("has examples unchanged, without parts that are not meant for readers", () => {
    expect(shown("<!-- generated -->\n```sh\n# a < b\n\n- **c**\n```\n")).toBe(
      '<pre class="code" tabindex="0"><code># a &lt; b\n\n- **c**</code></pre>',
    );
  });

  it("leaves pictures out", () => {
    expect(shown("a\n\n![What it looks like](known.png)\n\nb")).toBe("<p>a</p><p>b</p>");
  });

  it("has lists whose items have parts", () => {
    expect(shown("- a\n  b\n\n  ```sh\n  c\n  ```\n- d\n\ne")).toBe(
      '<ul><li><p>a\nb</p><pre class="code" tabindex="0"><code>c</code></pre></li><li><p>d</p></li></ul><p>e</p>',
    );
  });

  it("is made at once of many brackets that nothing closes", () => {
    const brackets = "[a".repeat(200_000);
    expect(cpuMs(1000, () => expect(shown(brackets)).toBe(`<p>${brackets}</p>`))).toBeLessThan(1000);
  });

  it("takes any text, and lets no markup through", () => {
    const piece = fc.constantFrom(
      "# ",
      "- ",
      "  ",
      "|",
      "`",
      "**",
      "[",
      "](",
      ")",
      "```",
      "\n",
      "\n\n",
      "<b",
      ">",
      "&",
      "x",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const tags = [...shown(pieces.join("")).matchAll(/<[^>]*>/g)].map(([tag]) => tag);
        const ours = /^<\/?(h[123]|p|ul|li|pre|code|div|table|thead|tbody|tr|th|td|strong|a)( |>)/;
        expect(tags.filter((tag) => !ours.test(tag))).toEqual([]);
      }),
    );
  });
});
