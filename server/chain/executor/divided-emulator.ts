import type { ConfigInstance, EmulatorInstance } from "./emulator-instance.js";

type Emulators = { transactions: EmulatorInstance; methods: EmulatorInstance };

/** Runs transactions and get-methods in two emulators. */
export class DividedEmulator implements EmulatorInstance {
  readonly #emulators: Emulators;

  constructor(emulators: Emulators) {
    this.#emulators = emulators;
  }

  loadConfig(base64: string): ConfigInstance {
    const transactions = this.#emulators.transactions.loadConfig(base64);
    const methods = this.#emulators.methods.loadConfig(base64);
    return {
      openContract: (params) => methods.openContract(params),
      createEmulator: (verbosity) => transactions.createEmulator(verbosity),
      free() {
        transactions.free();
        methods.free();
      },
    };
  }
}
