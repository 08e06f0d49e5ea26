import { Executor } from "../../chain/executor/executor.js";
import { emulatorSource } from "../../chain/executor/patches/emulator-source.js";
import { shippedVersion } from "../../chain/executor/patches/known-builds.js";

type Runs = Pick<Executor, "runTransaction" | "runTickTock">;

/** Loads the executor on first use, which takes time and memory: many devnets are only read. */
export class LazyExecutor implements Runs {
  readonly #load: () => Promise<Runs>;
  #loading: Promise<Runs> | undefined;
  #loaded: Runs | undefined;

  constructor(load: () => Promise<Runs>) {
    this.#load = load;
  }

  /** `version`: the global version of the executor. `wasm`: path of another build, which is loaded at once to read it. */
  static async open(wasm: string | undefined): Promise<{ executor: LazyExecutor; version: number }> {
    if (wasm === undefined)
      return { executor: new LazyExecutor(() => Executor.create()), version: shippedVersion };
    const source = await emulatorSource(wasm);
    return { executor: new LazyExecutor(() => Executor.of(source)), version: source.version };
  }

  /** Await it before running anything. */
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
