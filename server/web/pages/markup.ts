/** Safe HTML. Created by `html`, so that no text reaches a page unescaped by accident. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = string | number | Markup | false | undefined | readonly Content[];

/** Template tag for markup. Interpolated values are escaped unless they are markup. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(parts.map((part, index) => part + textOf(contents[index])).join(""));
}

/** Text in which backticks mark code. */
export function prose(text: string): Markup {
  const parts = text.split("`");
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function textOf(content: Content): string {
  if (content === undefined || content === false) return "";
  if (content instanceof Markup) return content.text;
  return typeof content === "object" ? content.map(textOf).join("") : escapeHtml(String(content));
}
