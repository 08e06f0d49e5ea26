import type { Breakpoints } from "./breakpoints.js";
import type { DebuggedRun, Loaded } from "./debugged-run.js";
import { back, type Granularity, into, next, out } from "./moves.js";
import { RequestError, reasonOf } from "./service-calls.js";
import { nextStops, type Stop } from "./stops.js";
import { evaluate, isTrue } from "./values/expression.js";

export type Step = "next" | "stepIn" | "stepOut" | "stepBack";
type Direction = 1 | -1;

/** Why the walk stands where it does. */
export type Halt = { readonly reason: string; readonly breakpoints: readonly number[] };

/** Events of a walk. */
type WalkListener = {
  /** A contract has printed, or a log point. */
  printed(text: string, run: DebuggedRun, n: number): void;
  /** A breakpoint was found in a run, or it was looked for in vain for the first time. */
  verified(id: number): void;
  loaded(loaded: Loaded): void;
};

/** Steps of all runs that are kept. */
const maxSteps = 1_000_000;
/** Conditions that are computed until a walk stops. */
const maxConditions = 1000;

/** Walks through the runs of a session, forth and back. */
export class Walk {
  readonly runs: readonly DebuggedRun[];
  readonly #breakpoints: Breakpoints;
  readonly #listener: WalkListener;
  readonly #signal: AbortSignal;
  #current: number;
  readonly #loadedRuns = new Map<DebuggedRun, Loaded>();

  constructor(
    runs: readonly DebuggedRun[],
    deps: { breakpoints: Breakpoints; listener: WalkListener; signal: AbortSignal },
  ) {
    this.runs = runs;
    this.#breakpoints = deps.breakpoints;
    this.#listener = deps.listener;
    this.#signal = deps.signal;
    this.#current = 0;
  }

  get current(): DebuggedRun {
    return this.runs[this.#current]!;
  }

  /** The number of the run that is walked. */
  get number(): number {
    return this.#current;
  }

  /** Stands in a run before a step, by default the first one. */
  async stand(number: number, n?: number): Promise<void> {
    const run = this.runs[number];
    if (!run) throw new RequestError(`there is no thread ${number + 1}`);
    const { trail } = await this.load(run);
    this.#current = number;
    run.at = within(trail, n ?? run.at ?? trail.first);
  }

  /** A run that is ready to be walked. Those that were not used for longest are freed if all together are too long. */
  async load(run: DebuggedRun): Promise<Loaded> {
    this.#signal.throwIfAborted();
    const loaded = await run.load();
    const isNew = this.#loadedRuns.get(run) !== loaded;
    this.#loadedRuns.delete(run);
    this.#loadedRuns.set(run, loaded);
    if (isNew) {
      this.#free(run);
      this.#listener.loaded(loaded);
      await this.#stops(run, loaded);
    }
    return loaded;
  }

  /** Resolves breakpoints anew in all runs that are loaded. */
  async verify(): Promise<void> {
    for (const [run, loaded] of this.#loadedRuns) await this.#breakpoints.stopsIn(run, loaded, () => {});
  }

  /** Steps within a run. At its end the walk goes on in the next one, and back from its beginning it stays there. */
  async step(kind: Step, granularity: Granularity): Promise<Halt> {
    const run = this.current;
    const { trail } = await this.load(run);
    const n = run.at ?? trail.first;
    const unit = trail.hasLines ? granularity : "instruction";
    const moved = kind === "stepOut" ? out(trail, n) : steps[kind](trail, n, unit);
    if (moved !== undefined) {
      if (moved > n) this.#print(run, n, moved);
      run.at = moved;
      return halt("step");
    }
    if (kind !== "stepBack") return this.#leave("step");
    run.at = trail.first;
    return halt("entry");
  }

  /** Goes on to the next stop; undefined if the walk stood at its end already, or if it should not stop there. */
  async goOn(direction: Direction, stopsAtEnd: boolean): Promise<Halt | undefined> {
    let conditions = 0;
    let from = this.current.at;
    for (;;) {
      const run = this.current;
      const loaded = await this.load(run);
      const { trail } = loaded;
      from ??= direction > 0 ? trail.first - 1 : trail.end;
      const found = nextStops(await this.#stops(run, loaded), from, direction);
      if (direction > 0) this.#print(run, from, found?.n ?? trail.end);
      if (found) {
        run.at = found.n;
        from = found.n;
        conditions += found.stops.length;
        const halted = await this.#met(found.stops, run, found.n);
        if (halted) return halted;
        if (conditions > maxConditions) {
          this.#listener.printed("too many conditions were computed: the walk stops here", run, found.n);
          return halt("pause");
        }
        continue;
      }
      const next = this.runs[this.#current + direction];
      if (!next) return this.#atEnd(run, loaded, direction, stopsAtEnd);
      run.at = lastOf(trail, direction);
      this.#current += direction;
      from = undefined;
    }
  }

  #atEnd(run: DebuggedRun, { trail }: Loaded, direction: Direction, stops: boolean): Halt | undefined {
    const last = lastOf(trail, direction);
    const wasThere = run.at === last;
    run.at = last;
    if (direction < 0) return halt("entry");
    return stops && !wasThere ? halt("end") : undefined;
  }

  /** Goes to the beginning of the next run; at the end of all it stays at the last step. */
  async #leave(reason: string): Promise<Halt> {
    const run = this.current;
    const { trail } = await this.load(run);
    this.#print(run, run.at ?? trail.first, trail.end);
    if (this.#current + 1 < this.runs.length) {
      const number = this.#current + 1;
      const { trail: following } = await this.load(this.runs[number]!);
      await this.stand(number, following.first);
      return halt(reason);
    }
    run.at = lastOf(trail, 1);
    return halt("end");
  }

  /** The stop, if the condition of one is true; prints what others print. */
  async #met(stops: readonly Stop[], run: DebuggedRun, n: number): Promise<Halt | undefined> {
    const met: Stop[] = [];
    for (const stop of stops) {
      this.#signal.throwIfAborted();
      if (stop.condition !== undefined && !(await this.#isTrue(stop.condition, run, n))) continue;
      if (stop.logMessage === undefined) met.push(stop);
      else this.#listener.printed(await this.#filledIn(stop.logMessage, run, n), run, n);
    }
    const first = met.find(({ reason }) => reason === "exception") ?? met[0];
    return first && { reason: first.reason, breakpoints: met.flatMap(({ id }) => id ?? []) };
  }

  async #isTrue(condition: string, run: DebuggedRun, n: number): Promise<boolean> {
    const { names } = await run.view(n, 0, condition);
    try {
      return isTrue(evaluate(condition, names));
    } catch (error) {
      // A name may not be known at every step: the user sees it, and the walk stops there.
      if (!(error instanceof RequestError)) throw error;
      this.#listener.printed(`${condition}: ${error.message}`, run, n);
      return true;
    }
  }

  /** A message with the values of the expressions in braces. */
  async #filledIn(message: string, run: DebuggedRun, n: number): Promise<string> {
    const { names } = await run.view(n, 0, message);
    return message.replace(/\{([^{}]*)\}/g, (_, expression: string) => {
      try {
        return evaluate(expression, names).text;
      } catch (error) {
        return `{${reasonOf(error)}}`;
      }
    });
  }

  #stops(run: DebuggedRun, loaded: Loaded): Promise<readonly Stop[]> {
    return this.#breakpoints.stopsIn(run, loaded, (id) => this.#listener.verified(id));
  }

  /** Prints what a contract has printed between two steps. */
  #print(run: DebuggedRun, from: number, to: number): void {
    const trail = this.#loadedRuns.get(run)?.trail;
    for (const [n, text] of trail?.prints ?? [])
      if (n >= from && n < to) this.#listener.printed(text, run, n);
  }

  #free(used: DebuggedRun): void {
    let sum = 0;
    for (const { trail } of this.#loadedRuns.values()) sum += trail.end - trail.first;
    for (const [run, loaded] of this.#loadedRuns) {
      if (sum <= maxSteps) return;
      if (run === used) continue;
      sum -= loaded.trail.end - loaded.trail.first;
      this.#loadedRuns.delete(run);
      this.#breakpoints.forget(loaded);
      run.unload();
    }
  }
}

const steps = { next, stepIn: into, stepBack: back };

function halt(reason: string): Halt {
  return { reason, breakpoints: [] };
}

function lastOf({ first, end }: Loaded["trail"], direction: Direction): number {
  return direction > 0 ? Math.max(first, end - 1) : first;
}

function within({ first, end }: Loaded["trail"], n: number): number {
  return Math.max(first, Math.min(n, end - 1));
}
