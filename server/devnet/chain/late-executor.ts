import type { Executor } from "../../chain/executor/executor.js";

type Runs = Pick<Executor, "runTransaction" | "runTickTock">;

/** Loads the executor when transactions are to be run: many devnets are only read, and it takes time and memory. */
export class LateExecutor implements Runs {
  readonly #load: () => Promise<Runs>;
  #loading: Promise<Runs> | undefined;
  #loaded: Runs | undefined;

  constructor(load: () => Promise<Runs>) {
    this.#load = load;
  }

  /** Call it before anything is run. */
  async ready(): Promise<void> {
    this.#loading ??= this.#load();
    this.#loaded = await this.#loading;
  }

  runTransaction: Runs["runTransaction"] = (request) => this.#executor.runTransaction(request);
  runTickTock: Runs["runTickTock"] = (request) => this.#executor.runTickTock(request);

  get #executor(): Runs {
    if (!this.#loaded) throw new Error("the executor is not loaded yet");
    return this.#loaded;
  }
}
