import type { Reporter, TestCase, TestModule } from "vitest/node";

const everyMs = 5 * 60_000;

/** Says every few minutes which files have been running since the last time, and at which test: a run that is ended from outside says no more. */
export default class Stalls implements Reporter {
  readonly #running = new Map<string, { begun: number; test: string }>();
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#tell(), everyMs);
  }

  onTestModuleQueued({ relativeModuleId }: TestModule): void {
    this.#running.set(relativeModuleId, { begun: performance.now(), test: "its imports" });
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    const running = this.#running.get(module.relativeModuleId);
    if (running) running.test = fullName;
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    for (const [file, { begun, test }] of this.#running) {
      const ms = performance.now() - begun;
      if (ms >= everyMs) console.log(`Running for ${Math.round(ms / 60_000)} min: ${file} > ${test}`);
    }
  }
}
