import type { DebugRun, DebugState, DebugStep } from "../../../../client/api.js";
import type { Result } from "../../../../client/registry-types.js";
import { RecentMap } from "../../../../shared/values/recent-map.js";
import { sharedRead } from "../../../../shared/values/shared-reads.js";
import type { Call } from "../view.js";
import { RunSteps } from "./run-steps.js";
import { type ShownStack, stackOf } from "./stack-tab.js";
import type { Cells } from "./value-markup.js";

/** The parameters that name a run, for methods that read it. */
export type Asked = {
  readonly run: string;
  readonly account?: string;
  readonly lt?: string;
  readonly force?: boolean;
  /** Parameters of the method that made it, as JSON. */
  readonly message?: string;
  readonly get_method?: string;
};

type StackStep = DebugStep & { readonly cells: Cells };

/** Steps of a call: those with stacks are large. */
const pages = {
  steps: { pageSize: 500, keptPages: 16 },
  stacks: { pageSize: 10, keptPages: 6 },
} as const;

/** States of the machine that are kept: at least so many, at most twice as many. */
const keptStates = 4;

/** Reads a run piece by piece; what was read last is kept. */
export class RunReader {
  readonly steps: RunSteps;
  readonly asked: Asked;
  readonly call: Call;
  readonly #states = new RecentMap<number, Promise<DebugState>>(keptStates);
  readonly #stacks: RunSteps<StackStep>;

  private constructor(call: Call, asked: Asked, bounds: { readonly first: number; readonly end: number }) {
    this.call = call;
    this.asked = asked;
    this.steps = new RunSteps({ ...bounds, ...pages.steps }, async (from, limit) => {
      const { steps } = await call("v3.debug.steps", { ...asked, from, limit, include: ["source"] });
      return steps;
    });
    this.#stacks = new RunSteps({ ...bounds, ...pages.stacks }, async (from, limit) => {
      const read: StackStep[] = [];
      for (let at: number | null = from; at !== null && at < from + limit; ) {
        const rest: number = from + limit - at;
        const page: Result<"v3.debug.steps"> = await call("v3.debug.steps", {
          ...asked,
          from: at,
          limit: rest,
          include: ["stack", "full_stack", "cells"],
        });
        const { cells = {} } = page;
        read.push(...page.steps.map((step) => ({ ...step, cells })));
        at = page.next;
      }
      return read;
    });
  }

  static async open(call: Call, run: DebugRun, asked: Asked): Promise<RunReader> {
    const { first_step: first } = run;
    let end = run.steps;
    if (run.truncated) {
      const { steps } = await call("v3.debug.steps", { ...asked, backward: true, limit: 1 });
      end = (steps[0]?.n ?? first) + 1;
    }
    return new RunReader(call, asked, { first, end });
  }

  /** Registers, functions and variables before a step. */
  state(n: number): Promise<DebugState> {
    return sharedRead(this.#states, n, () => this.call("v3.debug.state", { ...this.asked, step: n }));
  }

  /** The stack before a step; `undefined` if the machine has not logged it. */
  async stack(n: number): Promise<ShownStack | undefined> {
    const steps = await this.#stacks.between(Math.max(this.steps.first, n - 1), n + 1);
    return stackOf(steps, n, steps.at(-1)?.cells);
  }
}
