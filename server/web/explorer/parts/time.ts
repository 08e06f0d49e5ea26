import { html, type Markup } from "../../pages/markup.js";

/** Time elapsed since a unix time in seconds. The page keeps it current. */
export function timeAgo(unix: number): Markup {
  const date = dateOf(unix);
  return html`<time datetime="${date}" title="${date}" data-ago="${unix}">${agoText(unix)}</time>`;
}

/** A time, and the time elapsed since. */
export function timeOf(unix: number): Markup {
  return html`${dateOf(unix)
    .replace("T", " ")
    .replace(/\.000Z$/, " UTC")} <span class="aside">(${timeAgo(unix)})</span>`;
}

/** A time to the minute, for tables. */
export function timeAt(unix: number): Markup {
  const date = dateOf(unix);
  return html`<time datetime="${date}" title="${agoText(unix)}">${date.slice(0, 16).replace("T", " ")}</time>`;
}

/** Updates the elapsed times within an element. */
export function refreshTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll<HTMLElement>("time[data-ago]")) {
    const text = agoText(Number(time.dataset["ago"]));
    if (time.textContent !== text) time.textContent = text;
  }
}

function dateOf(unix: number): string {
  const date = new Date(unix * 1000);
  return Number.isNaN(date.valueOf()) ? "unknown" : date.toISOString();
}

const units = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
] as const;

function agoText(unix: number): string {
  const seconds = Math.round(Date.now() / 1000 - unix);
  const size = Math.abs(seconds);
  const [unit, length] = units.find(([, each]) => size >= each) ?? ["s", 1];
  const text = `${Math.floor(size / length)} ${unit}`;
  // A devnet's clock can be ahead.
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}

/** A length of time in its two largest units. */
export function durationText(seconds: number): string {
  const parts: string[] = [];
  let rest = Math.max(0, Math.floor(seconds));
  for (const [unit, length] of [...units, ["s", 1] as const]) {
    const many = Math.floor(rest / length);
    rest -= many * length;
    if (many > 0) parts.push(`${many} ${unit}`);
  }
  return parts.slice(0, 2).join(" ") || "0 s";
}
