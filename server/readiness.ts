/** Whether the service can serve. Every part that takes time to come up names itself here. */
export class Readiness {
  #phase: "starting" | "ready" | "stopping" = "starting";

  get phase(): "starting" | "ready" | "stopping" {
    return this.#phase;
  }

  /** The reason calls cannot be served; `undefined` when they can. */
  get reason(): string | undefined {
    return this.#phase === "ready" ? undefined : `Service is ${this.#phase}`;
  }

  /** Stopping is final. */
  enter(phase: "ready" | "stopping"): void {
    if (this.#phase !== "stopping") this.#phase = phase;
  }
}
