import type { DebugCode, DebugStep } from "../../../../client/api.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { count } from "../parts/amount.js";
import { claimed, claimedText } from "../parts/text.js";
import { type Breakpoint, lineText } from "./place.js";
import { WindowedList } from "./windowed-list.js";

/** A line of source, or an instruction. */
export type CodeLine = {
  readonly place: Breakpoint;
  readonly label: string;
  readonly text: string;
  readonly gas?: number | undefined;
  /** A title, which is no place. */
  readonly isHead?: boolean;
};

/** What is shown of the code: a file, or a cell. */
export type ShownCode = {
  readonly title: string;
  readonly lines: readonly CodeLine[];
  /** The place of the step, or the line that the user looks at. */
  readonly current: Breakpoint;
  /** A sentence about the source, if its lines are not proven. */
  readonly doubt?: string | undefined;
};

type Options = {
  /** Goes to the place, from the current step on. */
  pick(place: Breakpoint): void;
  toggle(place: Breakpoint): void;
};

/** The source with its gas by line, or the instructions of a cell. */
export class CodePane {
  readonly element = document.createElement("div");
  readonly #list: WindowedList;
  readonly #title: HTMLElement;
  readonly #doubt: HTMLElement;
  #lines: readonly CodeLine[] = [];

  constructor({ pick, toggle }: Options) {
    this.element.className = "debug-code-pane";
    this.element.innerHTML = html`<p class="debug-strip" hidden></p><p class="debug-file"></p>`.text;
    this.#doubt = elementOf(this.element, ".debug-strip");
    this.#title = elementOf(this.element, ".debug-file");
    this.#list = new WindowedList({
      label: "Code",
      pick: (index, target) => {
        const { place, isHead } = itemAt(this.#lines, index);
        if (isHead) return;
        if (target.closest(".debug-dot")) toggle(place);
        else pick(place);
      },
    });
    this.element.append(this.#list.element);
  }

  show({ title, lines, current, doubt }: ShownCode, breakpoints: ReadonlySet<Breakpoint>): void {
    this.#lines = lines;
    this.#title.textContent = claimedText(title, 120);
    this.#doubt.hidden = doubt === undefined;
    this.#doubt.textContent = doubt ?? "";
    const at = lines.findIndex(({ place }) => place === current);
    this.#list.show({
      count: lines.length,
      current: at < 0 ? undefined : at,
      markup: (index) => lineMarkup(itemAt(lines, index), breakpoints),
    });
  }
}

function lineMarkup(line: CodeLine, breakpoints: ReadonlySet<Breakpoint>): Markup {
  const { place, label, text, gas, isHead } = line;
  if (isHead) return html`<span class="debug-head">${claimed(text, 120)}</span>`;
  return html`<span class="debug-dot${breakpoints.has(place) && " on"}" title="Breakpoint"></span><span class="debug-n">${label}</span><code class="debug-text">${indented(text)}</code><span class="debug-gas">${gas ? count(gas) : ""}</span>`;
}

/** The lines of a file, with the gas of each. */
export function sourceLines(
  file: string,
  text: string,
  gasOf: (line: number) => number | undefined,
): readonly CodeLine[] {
  return text.split(/\r?\n/).map((content, index) => ({
    place: lineText({ file, line: index + 1 }),
    label: String(index + 1),
    text: content.replaceAll("\t", "  "),
    gas: gasOf(index + 1),
  }));
}

/** The instructions of a code. Each cell begins with a line that names it. */
export function instructionLines(code: DebugCode | undefined): readonly CodeLine[] {
  const methods = new Map(code?.methods.map(({ id, name, at }) => [at, name ?? `method ${id}`]));
  let shown = "";
  return (code?.instructions ?? []).flatMap(({ at, op, args, depth }) => {
    const [cell = "", offset = ""] = at.split(":");
    const method = methods.get(at);
    const text = `${"  ".repeat(Math.min(depth, 12))}${op ?? "(no instruction)"}${args === undefined ? "" : ` ${args}`}`;
    const line = { place: at, label: offset, text };
    if (cell === shown && method === undefined) return [line];
    shown = cell;
    const head = method === undefined ? `cell ${cell.slice(0, 8)}` : `${method}, cell ${cell.slice(0, 8)}`;
    return [{ place: "", label: "", text: head, isHead: true }, line];
  });
}

/** The instructions of the cell of a step that other steps have executed, in the order of the code. */
export function executedLines(steps: readonly DebugStep[], cell: string): readonly CodeLine[] {
  const lines = new Map<string, CodeLine & { gas: number; offset: number }>();
  for (const { at, text = "", gas = 0 } of steps) {
    if (!at?.startsWith(`${cell}:`)) continue;
    const offset = Number(at.slice(cell.length + 1));
    const known = lines.get(at);
    if (known) known.gas += gas;
    else lines.set(at, { place: at, label: String(offset), text, gas, offset });
  }
  return [...lines.values()].sort((one, other) => one.offset - other.offset);
}

/** A line with its indentation, which texts of others otherwise lose. */
function indented(text: string): Markup {
  const content = text.trimStart();
  const spaces = Math.min(text.length - content.length, 80);
  return html`${"\u00a0".repeat(spaces)}${claimed(content, 400)}`;
}
