// Types of the devnet's library that its parts share. The declarations import nothing.

/** A wallet of a devnet. */
export type DevnetWallet = {
  /** Raw address. */
  readonly address: string;
  /** Its owner in the sample data, such as `Ann`. */
  readonly name: string;
  /** Version of the contract: `v3r2`, `v4r2`, `v5r1`, or `tg` for Telegram's. */
  readonly type: string;
  /** The words of its key, separated by spaces: 24, or 12 of BIP 39 for `tg`. They are public: never use them on other networks. */
  readonly mnemonic: string;
};

/** Why a transaction ended as it did. */
export type DevnetExplanation = {
  /** Whether nothing failed. */
  readonly success: boolean;
  /** What failed, and what can be done about it; null if nothing did, or nothing is known. */
  readonly sentence: string | null;
  readonly hint: string | null;
  /** File and line of what failed; null if no source is known. */
  readonly line: string | null;
  /** What the instruction had before it: variables, if a source map names them, and values of the stack, from the top (`s0`). */
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** What the contract printed. */
  readonly prints: readonly string[];
  /** Hash of the transaction, its account, its exit code, and its run for the methods `v3.debug.*`. */
  readonly transaction: string;
  readonly account: string;
  readonly exitCode: number | null;
  readonly run: string;
  /** All of it for printing, as `String(explanation)`. */
  readonly text: string;
  toString(): string;
};
