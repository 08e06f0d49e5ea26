import { type Content, html, type Markup } from "./markup.js";

/** The path of a document's link on the service, or undefined if there is none. */
type Resolve = (target: string) => string | undefined;

/**
 * Renders a document: headings, paragraphs, lists, tables, examples, and inline code, strong text and links. Other
 * Markdown, including HTML, is shown as text.
 */
export function markdown(text: string, resolve: Resolve): Markup {
  return html`${blocks(text.split("\n"), resolve)}`;
}

/** The anchor of a heading, as GitHub forms it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function blocks(lines: readonly string[], resolve: Resolve): Markup[] {
  const found: Markup[] = [];
  let at = 0;
  /** The consecutive lines from here on that satisfy the condition. */
  const take = (belongs: (line: string) => boolean) => {
    const start = at;
    while (at < lines.length && belongs(lines[at]!)) at++;
    return lines.slice(start, at);
  };
  while (at < lines.length) {
    const line = lines[at]!;
    if (line === "" || /^<!--.*-->$/.test(line) || isPicture(line)) at++;
    else if (line.startsWith("```")) {
      at++;
      found.push(example(take((each) => !each.startsWith("```"))));
      at++;
    } else if (/^#{1,6} /.test(line)) {
      found.push(heading(line, resolve));
      at++;
    } else if (line.startsWith("|")) found.push(table(take(isRow), resolve));
    else if (line.startsWith("- "))
      found.push(
        list(
          take((each) => /^(- | {2}|$)/.test(each)),
          resolve,
        ),
      );
    else found.push(html`<p>${inline(take((each) => each !== "").join("\n"), resolve)}</p>`);
  }
  return found;
}

/** Pictures are left out, because the service itself shows their content. */
const isPicture = (line: string) => /^!\[[^\]]*\]\([^)]*\)$/.test(line);

const isRow = (line: string) => line.startsWith("|");

function heading(line: string, resolve: Resolve): Markup {
  const signs = line.indexOf(" ");
  const title = line.slice(signs).trimStart();
  const [id, content] = [anchorOf(title), inline(title, resolve)];
  if (signs === 1) return html`<h1 id="${id}">${content}</h1>`;
  return signs === 2 ? html`<h2 id="${id}">${content}</h2>` : html`<h3 id="${id}">${content}</h3>`;
}

/** Wide content scrolls, also by keyboard. */
const example = (lines: readonly string[]) =>
  html`<pre class="code" tabindex="0"><code>${lines.join("\n")}</code></pre>`;

function table([head = "", , ...rows]: readonly string[], resolve: Resolve): Markup {
  const cells = (line: string) =>
    line
      .slice(1)
      .split(/(?<!\\)\|/)
      .slice(0, -1)
      .map((cell) => inline(cell.trim().replaceAll("\\|", "|"), resolve));
  return html`<div class="scroll" tabindex="0"><table>
<thead><tr>${cells(head).map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((line) => html`<tr>${cells(line).map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

/** Lines of an item after its first are indented by two. */
function list(lines: readonly string[], resolve: Resolve): Markup {
  const items: string[][] = [];
  for (const line of lines) {
    if (line.startsWith("- ")) items.push([]);
    items.at(-1)!.push(line.slice(2));
  }
  return html`<ul>${items.map((item) => html`<li>${blocks(item, resolve)}</li>`)}</ul>`;
}

/** Code first, because other marks have no meaning in it. */
// Bounded input: only our own documents are rendered.
const marks = /`([^`]+)`|\*\*(.+?)\*\*|\[((?:`[^`]*`|[^[\]`])+)\]\(([^)\s]+)\)/g;

function inline(text: string, resolve: Resolve): Content[] {
  const found: Content[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [all, code, strong, label = "", target = ""] = match;
    found.push(text.slice(end, match.index));
    if (code !== undefined) found.push(html`<code>${code}</code>`);
    else if (strong !== undefined) found.push(html`<strong>${inline(strong, resolve)}</strong>`);
    else found.push(link(inline(label, resolve), /^https?:\/\/|^#/.test(target) ? target : resolve(target)));
    end = match.index + all.length;
  }
  return [...found, text.slice(end)];
}

const link = (label: Content, target: string | undefined): Content =>
  target === undefined ? label : html`<a href="${target}">${label}</a>`;
