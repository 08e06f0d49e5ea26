/** Whether the service can serve. Every part that takes time to come up names itself here. */
export class Readiness {
  #phase: "starting" | "ready" | "stopping" = "starting";
  readonly #absences: (() => string | undefined)[] = [];

  get phase(): "starting" | "ready" | "stopping" {
    return this.#phase;
  }

  /** The reason calls cannot be served; `undefined` when they can. */
  get reason(): string | undefined {
    if (this.#phase !== "ready") return `Service is ${this.#phase}`;
    for (const absence of this.#absences) {
      const reason = absence();
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Has a part that may be missing while the service runs say why it is. */
  dependOn(absence: () => string | undefined): void {
    this.#absences.push(absence);
  }

  /** Stopping is final. */
  enter(phase: "ready" | "stopping"): void {
    if (this.#phase !== "stopping") this.#phase = phase;
  }
}
