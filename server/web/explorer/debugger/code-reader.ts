import type { DebugCode, DebugProfile, DebugRun, DebugStep } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { optional } from "../parts/optional.js";
import { claimed } from "../parts/text.js";
import type { Call } from "../view.js";
import { type CodeLine, executedLines, instructionLines, type ShownCode, sourceLines } from "./code-pane.js";
import { type Line, lineText } from "./place.js";
import type { RunReader } from "./run-reader.js";

type Frames = NonNullable<DebugProfile["calls"]>;

/** The code of a run: its source where there is one, else its instructions, and where its gas went. */
export class CodeReader {
  readonly #call: Call;
  readonly #run: DebugRun;
  readonly #reader: RunReader;
  readonly #files = new Map<string, string>();
  readonly #gasOfLine = new Map<string, number>();
  readonly #lines = new Map<string, readonly CodeLine[]>();
  #code: DebugCode | undefined;
  #calls: DebugProfile | undefined;
  /** The line that the user looks at, if it is not that of the step. */
  chosen: Line | undefined;

  constructor(call: Call, run: DebugRun, reader: RunReader) {
    this.#call = call;
    this.#run = run;
    this.#reader = reader;
  }

  /** Reads what the service knows of the code; all of it may be missing. */
  async open(): Promise<void> {
    const { code, account } = this.#run;
    const { asked } = this.#reader;
    if (!code) return;
    const hashes = [code, ...(code.executed ?? [])].map(({ hash }) => hash);
    const [found, sources, lines, calls] = await Promise.all([
      optional(this.#call("v3.debug.code", { code_hash: code.hash })).then(
        (known) => known ?? optional(this.#call("v3.debug.code", { account })),
      ),
      Promise.all(
        hashes.map((code_hash) => optional(this.#call("v3.debug.abi", { code_hash, include_sources: true }))),
      ),
      optional(this.#call("v3.debug.profile", { ...asked, by: "line" })),
      optional(this.#call("v3.debug.profile", { ...asked, format: "calls" })),
    ]);
    this.#code = found?.code_hash === code.hash ? found : undefined;
    this.#calls = calls;
    for (const { file, text } of sources.flatMap((each) => each?.sources ?? []).flatMap(({ files }) => files))
      if (!this.#files.has(file)) this.#files.set(file, text);
    for (const { name, total } of lines?.entries ?? []) this.#gasOfLine.set(name, total);
  }

  /** The file whose lines are named without it in addresses. */
  get mainFile(): string {
    const files = this.#code?.instructions.flatMap(({ source }) => source?.file ?? []) ?? [];
    return files.find((file) => !file.startsWith("@stdlib/")) ?? "";
  }

  /** Visits of functions, in the order of steps. */
  get frames(): Frames {
    return this.#calls?.calls ?? [];
  }

  get flame(): { readonly frames: Frames; readonly total: number; readonly title: string } {
    const title = this.#calls?.approximate ? "Gas by method and cell of the code" : "Gas by function";
    return { frames: this.frames, total: this.#calls?.total ?? 0, title };
  }

  /** The file or the instructions around a step. */
  async around(step: DebugStep): Promise<ShownCode> {
    const line = this.chosen ?? step.source;
    const text = line && this.#files.get(line.file);
    if (line && text !== undefined)
      return {
        title: line.file,
        doubt: this.#doubt,
        lines: this.#kept(line.file, () =>
          sourceLines(line.file, text, (number) => this.#gasOfLine.get(`${line.file}:${number}`)),
        ),
        current: lineText(line),
      };
    const current = step.at ?? "";
    const known = this.#kept("", () => instructionLines(this.#code));
    if (known.some(({ place }) => place === current))
      return { title: "Instructions of the code", lines: known, current };
    const [cell = ""] = current.split(":");
    const { steps } = this.#reader;
    const { from, to } = steps.around(step.n, 2);
    const lines = executedLines(await steps.between(from, to), cell);
    return { title: `Instructions of the cell ${cell.slice(0, 8)} that ran`, lines, current };
  }

  /** The source line of a step. */
  lineOf({ source }: DebugStep): Markup | undefined {
    if (!source) return undefined;
    const text = this.#lines.get(source.file)?.[source.line - 1]?.text ?? this.#textOf(source);
    return html`<code>${claimed(text.trim() || `line ${source.line}`, 120)}</code>`;
  }

  #textOf({ file, line }: Line): string {
    const text = this.#files.get(file);
    if (text === undefined) return lineText({ file, line });
    const lines = this.#kept(file, () =>
      sourceLines(file, text, (number) => this.#gasOfLine.get(`${file}:${number}`)),
    );
    return lines[line - 1]?.text ?? "";
  }

  get #doubt(): string | undefined {
    return this.#run.code?.map?.trust === "claimed"
      ? "Not proven: a verifier or another caller states these lines. Only compiling the sources shows that they make this code."
      : undefined;
  }

  #kept(name: string, make: () => readonly CodeLine[]): readonly CodeLine[] {
    const lines = this.#lines.get(name) ?? make();
    this.#lines.set(name, lines);
    return lines;
  }
}
