import type { Call } from "../../../../shared/methods/define.js";
import type { IndexDeps } from "../../../present/v3/answer-extras.js";
import type { AbisOf } from "../../../present/v3/failed-contracts.js";
import type { PendingTrace } from "../../../present/v3/pending-traces.js";
import { knownNames } from "../../../present/v3/texts.js";
import type { Queries } from "../../../store/database.js";
import { expectedOutcome, type Outcome } from "./expected.js";
import { FailureTrials, type TraceOrigin, type TrialDeps } from "./failure-trial.js";

export type OutcomeDeps = TrialDeps & Pick<IndexDeps, "index"> & { hasIndex: boolean; artifacts: AbisOf };

/** Outcomes of the expected traces of a call, with what trials show of their first failures. */
export class TriedOutcomes {
  readonly #deps: OutcomeDeps;
  readonly #call: Call;
  readonly #trials: FailureTrials;

  constructor(deps: OutcomeDeps, call: Call) {
    this.#deps = deps;
    this.#call = call;
    this.#trials = new FailureTrials(deps, call);
  }

  /** Without an origin nothing is tried. */
  async of(trace: PendingTrace, origin: TraceOrigin | undefined): Promise<Outcome> {
    const { artifacts, book, hasIndex, index } = this.#deps;
    const read = <T>(work: (queries: Queries) => Promise<T>) => index.read(this.#call, work);
    const outcome = await expectedOutcome(trace, {
      read: hasIndex ? read : undefined,
      artifacts,
      names: await knownNames(book.texts),
    });
    const failures = await this.#trials.of(outcome.failures, async () => origin);
    return { ...outcome, failures, failure: failures[0] ?? null };
  }
}
