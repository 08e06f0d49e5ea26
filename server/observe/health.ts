type Reason = () => string | undefined;

/** Health of a process: whether it can serve calls, and whether all of its parts work. */
export class Health {
  #phase: "starting" | "ready" | "stopping" = "starting";
  readonly #unavailable: Reason[] = [];
  readonly #degraded: Reason[] = [];

  get phase(): "starting" | "ready" | "stopping" {
    return this.#phase;
  }

  /** Why no call can be served; `undefined` if calls can be served. */
  get unavailableReason(): string | undefined {
    return this.#phase === "ready" ? firstOf(this.#unavailable) : `Service is ${this.#phase}`;
  }

  /** Why a load balancer should prefer another instance, even if this one still serves some calls. */
  get degradedReason(): string | undefined {
    return this.unavailableReason ?? firstOf(this.#degraded);
  }

  /** No call can be served while `reason` returns a text. */
  unavailableBy(reason: Reason): void {
    this.#unavailable.push(reason);
  }

  /** Some calls cannot be served while `reason` returns a text. */
  degradedBy(reason: Reason): void {
    this.#degraded.push(reason);
  }

  /** Changes the phase; `stopping` is final. */
  enter(phase: "ready" | "stopping"): void {
    if (this.#phase !== "stopping") this.#phase = phase;
  }
}

function firstOf(reasons: readonly Reason[]): string | undefined {
  for (const reasonOf of reasons) {
    const reason = reasonOf();
    if (reason !== undefined) return reason;
  }
  return undefined;
}
