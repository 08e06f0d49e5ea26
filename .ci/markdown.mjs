// Links of Markdown files, and the anchors of headings as GitHub forms them.

/** Text without blocks of code, in which brackets and number signs mean something else. */
const prose = (text) => text.replace(/^ *```.*?^ *```$/gms, "");

/** Links to other files and to headings: a path relative to the file (empty for the same file) and an anchor. */
export function linksOf(text) {
  return [...prose(text).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]*))?\)/g)].map(
    ([, path, anchor]) => ({ path, anchor }),
  );
}

/** Anchors of all headings. */
export function anchorsOf(text) {
  const seen = new Map();
  return [...prose(text).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}
