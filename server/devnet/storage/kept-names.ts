import { SetupError } from "../../errors.js";
import { Mutex } from "../../os/mutex.js";
import { DevnetError } from "../devnet-error.js";

type Names = Readonly<Record<string, string>>;

/** Stores the names of a chain. */
type NameStorage = {
  readNames(): Promise<string | undefined>;
  writeNames(text: string): Promise<void>;
};

/** Names of accounts by raw address. Stored beside the chain, so that a revert does not change them. */
export class KeptNames {
  readonly #storage: NameStorage;
  readonly #jobs = new Mutex();
  #names: Names;

  private constructor(storage: NameStorage, names: Names) {
    this.#storage = storage;
    this.#names = names;
  }

  /** Reads the stored names. Throws `SetupError` if they are unreadable. */
  static async open(storage: NameStorage): Promise<KeptNames> {
    const text = await storage.readNames();
    return new KeptNames(storage, text === undefined ? {} : namesIn(text));
  }

  get names(): Names {
    return this.#names;
  }

  /** Resolves when the names are stored and in effect. */
  change(next: (names: Names) => Names): Promise<void> {
    return this.#jobs.run(async () => {
      const names = next(this.#names);
      try {
        await this.#storage.writeNames(`${JSON.stringify({ format: 1, names }, undefined, 2)}\n`);
      } catch (error) {
        throw new DevnetError(
          "unavailable",
          `the data folder cannot be written to: ${(error as Error).message}`,
        );
      }
      this.#names = names;
    });
  }
}

function namesIn(text: string): Names {
  try {
    const { format, names } = JSON.parse(text) as { format: unknown; names: unknown };
    if (format !== 1) throw new RangeError("it has another format");
    const entries = Object.entries(names as object);
    if (
      entries.some(
        ([account, name]) => !/^-?\d{1,10}:[0-9A-F]{64}$/.test(account) || typeof name !== "string",
      )
    )
      throw new RangeError("it has names of other things than accounts");
    return Object.fromEntries(entries);
  } catch (error) {
    throw new SetupError(
      `names.json in the data folder cannot be read: ${(error as Error).message}. Restore it, or remove it to discard the names`,
    );
  }
}
