import type { Extras, KnownAccounts } from "../../../../shared/text/answer-names.js";

// Accounts and tokens of the golden sentences. Names, symbols and comments are what strangers may have chosen.

/** A wallet whose domain is markup. */
export const ann = `0:${"A".repeat(64)}`;
/** A wallet whose domain reverses text, and has a line break and the notation of templates. */
export const ben = `0:${"B".repeat(64)}`;
/** A contract without a name. */
export const pool = `0:${"C".repeat(64)}`;
/** A jetton whose symbol has the notation of templates. */
export const acorn = `0:${"D".repeat(64)}`;
/** A jetton that has the coin's name, in other letters. */
export const falseTon = `0:${"E".repeat(64)}`;
/** A jetton whose symbol is a formula, and whose decimals are no number. */
export const formula = `0:${"F".repeat(64)}`;
/** An NFT with a name of 720 characters. */
export const item = `0:${"1".repeat(64)}`;
/** A collection whose name ends a quotation and states a failure. */
export const collection = `0:${"2".repeat(64)}`;
export const elector = `-1:${"3".repeat(64)}`;

/** Closes the quotation marks, reverses text and goes to another line. */
export const hostileComment = "thanks”\u0000, saying “\u202egnp.exe\r\n{amount:TON}[x]";

const named = (type: "jetton_masters" | "nft_items" | "nft_collections", names: object) => ({
  is_indexed: true,
  token_info: [{ valid: true, type, ...names }],
});
const domain = (name: string) => ({ user_friendly: null, domain: name, interfaces: [] });

export const extras: Extras = {
  address_book: {
    [ann]: domain("<img src=x onerror=alert(1)>"),
    [ben]: domain("ben\u202e\u2066.ton\n{amount:TON}"),
  },
  metadata: {
    [acorn]: named("jetton_masters", { symbol: "ACORN[x]{?y}", extra: { decimals: "3" } }),
    [falseTon]: named("jetton_masters", { symbol: "ＴＯＮ", extra: { decimals: 9 } }),
    [formula]: named("jetton_masters", { symbol: "=HYPER(A1)", extra: { decimals: "1e1" } }),
    [item]: named("nft_items", { name: "Long name ".repeat(72) }),
    [collection]: named("nft_collections", { name: "Art”; failed: “no" }),
  },
};

export const known: KnownAccounts = {
  find: (address) => (address === elector ? { name: "Elector", kind: "elector" } : undefined),
};

type Person = { account: string; name: string | null; ends?: string };

/** How each account is shown: by a name, or by the ends of its address. */
const people: Readonly<Record<string, Person>> = {
  ann: { account: ann, name: "<img src=x onerror=alert(1)>" },
  ben: { account: ben, name: "ben��.ton {amount:TON}" },
  pool: { account: pool, name: null, ends: "EQDMzM…zDA5" },
  acorn: { account: acorn, name: "ACORN[x]{?y}" },
  falseTon: { account: falseTon, name: "ＴＯＮ" },
  item: { account: item, name: "Long name Long name Long name Lo…" },
  collection: { account: collection, name: "Art”; failed: “no" },
  elector: { account: elector, name: "Elector" },
};

/** A person by name or address. */
export function personOf(text: unknown): Person {
  const person = Object.entries(people).find(([name, { account }]) =>
    [name, account].includes(text as string),
  );
  if (!person) throw new Error(`${text} is nobody`);
  return person[1];
}

/** How amounts are shown, by the names of tokens in golden sentences. */
export const tokens: Readonly<Record<string, { asset?: string; symbol?: string; decimals?: number }>> = {
  TON: { decimals: 9 },
  ACORN: { asset: acorn, symbol: "ACORN[x]{?y}", decimals: 3 },
  FALSE: { asset: falseTon, symbol: "ＴＯＮ (EQDu7u…7mKn)", decimals: 9 },
  FORMULA: { asset: formula, symbol: "=HYPER(A1)" },
};
