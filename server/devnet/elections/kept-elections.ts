import { bytesOfHex, bytesToHex, hexToBytes } from "../../../shared/values/bytes.js";
import type { SigningKey } from "../../chain/ed25519.js";
import { SetupError } from "../../errors.js";
import { DevnetError } from "../devnet-error.js";
import type { ValidatorKeys } from "./validator-keys.js";
import type { OperatorSettings, ValidatorOperator } from "./validator-operator.js";

/** The store of a devnet's settings. */
type Storage = {
  /** The last stored ones, regardless of reverts. */
  readElections(): Promise<string | undefined>;
  writeElections(text: string): Promise<void>;
};
type Parts = { operator: ValidatorOperator | undefined; keys: ValidatorKeys };
/** `settings`: absent while they have their defaults. */
type Kept = { settings: OperatorSettings | undefined; seeds: readonly string[] };

/** Each validator of a set has its own key, and each election new ones. */
const maxKeys = 1024;

/**
 * Developers' settings for elections: the operator's settings, and keys of foreign validators. Stored beside the chain
 * rather than in its blocks, so that a revert does not change them. Calls must not overlap.
 */
export class KeptElections {
  readonly #storage: Storage;
  readonly #parts: Parts;
  #kept: Kept = { settings: undefined, seeds: [] };

  constructor(storage: Storage, parts: Parts) {
    this.#storage = storage;
    this.#parts = parts;
  }

  /** Restores the stored settings. Throws `SetupError` if they are unreadable. */
  async restore(): Promise<void> {
    const text = await this.#storage.readElections();
    if (text === undefined) return;
    this.#kept = readKept(text);
    const { operator, keys } = this.#parts;
    for (const seed of this.#kept.seeds) keys.add(bytesOfHex(seed));
    const { settings } = this.#kept;
    if (operator && settings)
      operator.settings = {
        ...settings,
        participants: Math.min(settings.participants, operator.wallets.length),
      };
  }

  /** Resolves when the settings are stored and in effect. */
  async change(operator: ValidatorOperator, settings: OperatorSettings): Promise<void> {
    await this.#keep({ ...this.#kept, settings });
    operator.settings = settings;
  }

  /** Resolves when the key is stored and in use. */
  async addKey(seed: Uint8Array): Promise<SigningKey> {
    const text = bytesToHex(seed);
    const { seeds } = this.#kept;
    if (!seeds.includes(text)) {
      if (seeds.length >= maxKeys)
        throw new DevnetError("conflict", `this devnet has ${maxKeys} keys of other validators already`);
      await this.#keep({ ...this.#kept, seeds: [...seeds, text] });
    }
    return this.#parts.keys.add(seed);
  }

  async #keep(kept: Kept): Promise<void> {
    try {
      await this.#storage.writeElections(writeKept(kept));
    } catch (error) {
      throw new DevnetError(
        "unavailable",
        `the data folder cannot be written to: ${(error as Error).message}`,
      );
    }
    this.#kept = kept;
  }
}

function writeKept({ settings, seeds }: Kept): string {
  const operator = settings && { ...settings, stake: settings.stake?.toString() ?? null };
  return `${JSON.stringify({ format: 1, settings: operator ?? null, validator_keys: seeds }, undefined, 2)}\n`;
}

function readKept(text: string): Kept {
  try {
    const { format, settings, validator_keys: seeds } = JSON.parse(text);
    if (format !== 1) throw new RangeError("it has another format");
    for (const seed of seeds) if (hexToBytes(seed)?.length !== 32) throw new RangeError("a key is invalid");
    return { settings: settings ? readSettings(settings) : undefined, seeds };
  } catch (error) {
    throw new SetupError(
      `elections.json in the data folder cannot be read: ${(error as Error).message}. Restore it, or remove it to discard the election settings`,
    );
  }
}

type StoredSettings = { on: unknown; participants: unknown; stake: string | null };

function readSettings({ on, participants, stake }: StoredSettings): OperatorSettings {
  const isCount = Number.isInteger(participants) && (participants as number) > 0;
  if (typeof on !== "boolean" || !isCount) throw new RangeError("the settings are none");
  return { on, participants: participants as number, stake: stake === null ? undefined : BigInt(stake) };
}
