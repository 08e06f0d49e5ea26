/** A chain value in a sentence. Views show its name and link it. */
export type Part =
  | { readonly kind: "account"; readonly address: string; readonly role?: string }
  | {
      readonly kind: "amount";
      readonly units: bigint | undefined;
      readonly asset: Asset;
      readonly role?: string;
    }
  /** Text written by a user. */
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "time"; readonly utime: number }
  | { readonly kind: "transaction"; readonly hash: string }
  /** The name of the network's coin. */
  | { readonly kind: "coin" };

/** TON, a jetton by its master or by its name alone, or an unknown asset. */
type Asset = "coin" | { readonly master: string } | { readonly name: string } | undefined;

export type Phrase = readonly (string | Part)[];

/** Members of details are null if their values are unknown. */
type Unknown = null | undefined;

export function account(address: string, role?: string): Part {
  return { kind: "account", address, ...(role !== undefined && { role }) };
}

export function ton(nanotons: string | Unknown, role?: string): Part {
  return amountOf(nanotons, "coin", role);
}

/** An amount of a jetton, or of TON where a null master stands for it. */
export function asset(units: string | Unknown, master: string | Unknown, role?: string): Part {
  return amountOf(units, master ? { master } : "coin", role);
}

/** An amount of a jetton; a null master means an unknown jetton. */
export function jetton(units: string | Unknown, master: string | Unknown, role?: string): Part {
  return amountOf(units, master ? { master } : undefined, role);
}

/** An amount of a token whose details give no master. */
export function named(units: string | Unknown, name: string, role?: string): Part {
  return amountOf(units, { name }, role);
}

function amountOf(text: string | Unknown, asset: Asset, role: string | undefined): Part {
  const units = text === null || text === undefined ? undefined : BigInt(text);
  return { kind: "amount", units, asset, ...(role !== undefined && { role }) };
}
