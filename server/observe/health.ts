/**
 * Why something does not work. Callers see the text. `detail` may name files, system errors or SQL, so only the operator
 * sees it.
 */
export type Reason = { readonly text: string; readonly detail: string };

/** A text alone is for callers and operators alike. */
type ReasonOf = () => string | Reason | undefined;

/** Calls that need a failed part: all of them, or only those answered from the index (API v3, streams). */
type Needed = "everything" | "index";

/** Health of a process: whether it can serve calls, and whether all of its parts work. */
export class Health {
  #phase: "starting" | "ready" | "stopping" = "starting";
  readonly #unavailable: ReasonOf[] = [];
  readonly #degraded: ReasonOf[] = [];
  readonly #degradedIndex: ReasonOf[] = [];

  /** `ready` once calls are answered, `stopping` from the request to stop on. */
  get phase(): "starting" | "ready" | "stopping" {
    return this.#phase;
  }

  /** Why no call can be served; `undefined` if calls can be served. */
  get unavailableReason(): string | undefined {
    return textOf(this.#whyUnavailable());
  }

  /** Why a load balancer should prefer another instance, even if this one still serves some calls. */
  get degradedReason(): string | undefined {
    return textOf(this.#whyDegraded());
  }

  /** As `degradedReason`, for an instance that serves API v2 only. */
  get degradedWithoutIndex(): string | undefined {
    return textOf(this.#whyUnavailable() ?? firstOf(this.#degraded));
  }

  /** `degradedReason` with internals, for the operator. */
  get degradedDetail(): string | undefined {
    const reason = this.#whyDegraded();
    return typeof reason === "object" ? reason.detail : reason;
  }

  /** No call can be served while `reason` returns one. */
  unavailableBy(reason: ReasonOf): void {
    this.#unavailable.push(reason);
  }

  /** Some calls cannot be served while `reason` returns one: only those to the index if only that does not work. */
  degradedBy(reason: ReasonOf, needed: Needed = "everything"): void {
    (needed === "index" ? this.#degradedIndex : this.#degraded).push(reason);
  }

  /** Changes the phase; `stopping` is final. */
  enter(phase: "ready" | "stopping"): void {
    if (this.#phase !== "stopping") this.#phase = phase;
  }

  #whyUnavailable(): string | Reason | undefined {
    return this.#phase === "ready" ? firstOf(this.#unavailable) : `Service is ${this.#phase}`;
  }

  #whyDegraded(): string | Reason | undefined {
    return this.#whyUnavailable() ?? firstOf(this.#degraded) ?? firstOf(this.#degradedIndex);
  }
}

function textOf(reason: string | Reason | undefined): string | undefined {
  return typeof reason === "object" ? reason.text : reason;
}

function firstOf(reasons: readonly ReasonOf[]): string | Reason | undefined {
  for (const reasonOf of reasons) {
    const reason = reasonOf();
    if (reason !== undefined) return reason;
  }
  return undefined;
}
