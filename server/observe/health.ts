/** Whether the service can serve, and is well. Every part that takes time to come up names itself here. */
export class Readiness {
  #phase: "starting" | "ready" | "stopping" = "starting";
  readonly #absences: (() => string | undefined)[] = [];
  readonly #ailments: (() => string | undefined)[] = [];

  get phase(): "starting" | "ready" | "stopping" {
    return this.#phase;
  }

  /** The reason calls cannot be served; `undefined` when they can. */
  get reason(): string | undefined {
    return this.#phase === "ready" ? firstOf(this.#absences) : `Service is ${this.#phase}`;
  }

  /** The reason another instance would be the better one to ask, though this one serves what it can. */
  get ailment(): string | undefined {
    return this.reason ?? firstOf(this.#ailments);
  }

  /** Has a part that may be missing while the service runs say why it is. */
  dependOn(absence: () => string | undefined): void {
    this.#absences.push(absence);
  }

  /** The same of a part that some calls can do without. */
  suffer(absence: () => string | undefined): void {
    this.#ailments.push(absence);
  }

  /** Stopping is final. */
  enter(phase: "ready" | "stopping"): void {
    if (this.#phase !== "stopping") this.#phase = phase;
  }
}

function firstOf(absences: readonly (() => string | undefined)[]): string | undefined {
  for (const absence of absences) {
    const reason = absence();
    if (reason !== undefined) return reason;
  }
  return undefined;
}
