import type { DebugProtocol } from "@vscode/debugprotocol";
import { sharedRead } from "../../shared/values/shared-reads.js";
import type { DebuggedRun, Loaded } from "./debugged-run.js";
import { RequestError } from "./service-calls.js";
import type { SourceFiles } from "./source-files.js";
import { type GivenConditions, type Stop, stopConditions } from "./stops.js";

/** Breakpoints of a kind, and of a source file. */
const maxBreakpoints = 500;
/** Those of data are searched for in the run, each by many calls. */
const maxData = 16;
/** Steps that write the data: after each the storage is compared. */
const maxWrites = 100;

type Wanted =
  | { readonly kind: "line"; readonly source: DebugProtocol.Source; readonly line: number }
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "instruction"; readonly reference: string; readonly offset: number }
  | { readonly kind: "data"; readonly dataId: string };
type Breakpoint = Wanted & GivenConditions & { readonly id: number };

/** Where the runs that were loaded have a breakpoint, or why they have none. */
type Verdict = Omit<DebugProtocol.Breakpoint, "id">;

type Filter = "uncaught" | "all" | "action";

/** The breakpoints of a session. */
export class Breakpoints {
  /** By kind, those of lines by source. */
  readonly #sets = new Map<string, readonly Breakpoint[]>();
  readonly #files: SourceFiles;
  readonly #verdicts = new Map<number, Verdict>();
  readonly #stops = new Map<Loaded, Promise<readonly Stop[]>>();
  #filters: ReadonlySet<Filter> = new Set(["uncaught"]);
  #lastId = 0;

  constructor(files: SourceFiles) {
    this.#files = files;
  }

  /** Replaces the breakpoints of a set by others. Returns their ids. */
  set(name: string, wanted: readonly (Wanted & GivenConditions)[]): readonly number[] {
    const others = [...this.#sets].reduce((sum, [key, set]) => sum + (key === name ? 0 : set.length), 0);
    if (wanted.length > maxData && wanted[0]!.kind === "data")
      throw new RequestError(`a session may have ${maxData} breakpoints of data`);
    if (wanted.length > maxBreakpoints || others + wanted.length > 4 * maxBreakpoints)
      throw new RequestError(`a session may have ${maxBreakpoints} breakpoints of a file or kind`);
    for (const each of wanted) stopConditions(each);
    for (const { id } of this.#sets.get(name) ?? []) this.#verdicts.delete(id);
    const breakpoints = wanted.map((each) => ({ ...each, id: ++this.#lastId }));
    if (breakpoints.length > 0) this.#sets.set(name, breakpoints);
    else this.#sets.delete(name);
    this.#stops.clear();
    return breakpoints.map(({ id }) => id);
  }

  setFilters(filters: readonly Filter[]): void {
    this.#filters = new Set(filters);
    this.#stops.clear();
  }

  forget(loaded: Loaded): void {
    this.#stops.delete(loaded);
  }

  /** A breakpoint as answers have it. */
  present(id: number): DebugProtocol.Breakpoint {
    const unknown = { verified: false, message: "it is looked for when the transactions are loaded" };
    return { id, ...(this.#verdicts.get(id) ?? unknown) };
  }

  /** Where a run stops. `onChanged`: ids of breakpoints of which more is known now. */
  stopsIn(run: DebuggedRun, loaded: Loaded, onChanged: (id: number) => void): Promise<readonly Stop[]> {
    return sharedRead(this.#stops, loaded, () => this.#find(run, loaded, onChanged));
  }

  async #find(run: DebuggedRun, loaded: Loaded, onChanged: (id: number) => void): Promise<readonly Stop[]> {
    const stops: Stop[] = [...(await this.#exceptionStops(run))];
    for (const breakpoint of [...this.#sets.values()].flat()) {
      const { steps, ...verdict } = await this.#resolve(breakpoint, run, loaded);
      const before = this.#verdicts.get(breakpoint.id);
      if (!before?.verified && (verdict.verified || before === undefined)) {
        this.#verdicts.set(breakpoint.id, verdict);
        onChanged(breakpoint.id);
      }
      if (steps.length > 0)
        stops.push({ ...stopConditions(breakpoint), id: breakpoint.id, reason: reasonOf(breakpoint), steps });
    }
    return stops;
  }

  #resolve(breakpoint: Breakpoint, run: DebuggedRun, loaded: Loaded) {
    switch (breakpoint.kind) {
      case "line":
        return this.#atLine(breakpoint, loaded);
      case "function":
        return atFunction(breakpoint.name, loaded);
      case "instruction":
        return atInstruction(breakpoint, loaded);
      case "data":
        return atWrites(breakpoint.dataId, run, loaded);
    }
  }

  #atLine({ source, line }: Breakpoint & { kind: "line" }, { trail, listing }: Loaded): Found {
    const file = this.#files.fileOf(source);
    const found = file === undefined ? undefined : listing.lineFrom(file, line);
    if (file === undefined || found === undefined)
      return nowhere(
        file === undefined
          ? "no code that ran is of this file"
          : "no instruction is of this line or a later one",
      );
    const steps = trail.statementsOf(file, found);
    return { steps, verified: true, line: found, source: this.#files.sourceOf(file) };
  }

  async #exceptionStops(run: DebuggedRun): Promise<Stop[]> {
    const { outcome, actions } = run.run;
    const filters = this.#filters;
    const uncaught = filters.has("uncaught") && outcome.step !== null ? [outcome.step] : [];
    const thrown = filters.has("all") && run.run.steps > 0 ? (await run.find({ throws: "any" })).steps : [];
    const ordered = filters.has("action")
      ? actions.flatMap(({ outcome: ended, step }) =>
          (ended === "failed" || ended === "skipped") && step !== null ? [step] : [],
        )
      : [];
    const steps = [...new Set([...uncaught, ...thrown, ...ordered])].sort((one, other) => one - other);
    return steps.length > 0 ? [{ steps, reason: "exception" }] : [];
  }
}

type Found = Verdict & { readonly steps: readonly number[] };

function nowhere(message: string): Found {
  return { steps: [], verified: false, message };
}

function atFunction(name: string, { trail }: Loaded): Found {
  const steps = trail.callsOf(name);
  return steps.length > 0 ? { steps, verified: true } : nowhere(`no function ${name} is called in the run`);
}

function atInstruction(
  { reference, offset }: Breakpoint & { kind: "instruction" },
  { trail, listing }: Loaded,
): Found {
  const at = listing.placeOf(reference, offset);
  if (at === undefined) return nowhere("the code has no such instruction");
  return { steps: trail.stepsAt(at), verified: true, instructionReference: at };
}

/** Steps that write a register, a global variable, or a member of the storage. */
async function atWrites(dataId: string, run: DebuggedRun, { trail }: Loaded): Promise<Found> {
  if (run.run.steps === 0) return nowhere("no code ran");
  const path = storagePath(dataId);
  const { steps } = await run.find({ writes: path === undefined ? dataId : "c4" });
  if (path === undefined) return { steps, verified: true };
  const changes: number[] = [];
  let value = memberAt((await run.state(trail.first)).registers.c4?.storage, path);
  for (const n of steps.slice(0, maxWrites)) {
    const written = memberAt(await run.storageAfter(n), path);
    if (written !== value) changes.push(n);
    value = written;
  }
  return { steps: changes, verified: true };
}

/** The names of members from the outermost one on; undefined if it is no member of the storage. */
function storagePath(dataId: string): string[] | undefined {
  if (!dataId.startsWith("storage.")) return undefined;
  return dataId
    .slice("storage.".length)
    .split(/[.[\]]+/)
    .filter((name) => name !== "");
}

function memberAt(value: unknown, path: readonly string[]): string | undefined {
  let member = value;
  for (const name of path) {
    if (typeof member !== "object" || member === null || !Object.hasOwn(member, name)) return undefined;
    member = (member as Record<string, unknown>)[name];
  }
  return JSON.stringify(member);
}

/** What a data breakpoint can be set on, by the expression of a variable. */
export function isWritable(expression: string): boolean {
  return /^(?:c4|c5|c7|storage\..{1,200})$/.test(expression);
}

function reasonOf({ kind }: Wanted): string {
  return kind === "line" ? "breakpoint" : `${kind} breakpoint`;
}
