import type { Database } from "../../../server/store/database.js";
import { Address } from "../../../shared/values/address.js";
import { momentIn } from "./growing-index.js";
import { adders, bytesNamed, contractNamed, type Parties, type Party, partyNames } from "./party-rows.js";
import { bytesOf, hashOf, type Rows, storeRows } from "./rows.js";

/** Owners with few rows, and owners with many beside the same few, which each of them has in common with all others. */
export type OwnerSize = "small" | "large";

/** An owner of a size. */
export function ownerOf(size: OwnerSize, party: Party): Address {
  return new Address(0, hashOf(`owner ${size} ${party}`));
}

/** A contract that owners of a size have in common. */
export function commonContract(size: OwnerSize, kind: string): Address {
  return contractNamed(`${size} 3 ${kind}`);
}

/** The hash of something that owners of a size have in common. */
export function commonHash(size: OwnerSize, prefix: string, kind: keyof OwnerSizes): Uint8Array {
  return hashOf(`${prefix} ${size} 3 ${kind}`.trim());
}

export const actionTypesOfOwners = {
  /** Number of actions that an owner has in common with its partner only; other accounts have many. */
  rare: "ton_transfer",
  common: "call_contract",
  /** No account has any. */
  absent: "subscribe",
} as const;

/** How many rows each owner has. */
export type OwnerSizes = {
  /** Wallets of the jetton. */
  holders: number;
  /** Jetton wallets of the owner. */
  jettons: number;
  /** NFT items of the owner, and of the collection. */
  items: number;
  /** Actions of the owner. */
  actions: number;
  /** Transactions, each with a message and a trace, of the owner and of the partner. */
  transactions: number;
  /** Transfers of jettons and of items, and burns, each of every one of their parties. */
  events: number;
  /** Orders of the multisig wallet. */
  orders: number;
  /** Multisig and vesting wallets of the owner. */
  multisigs: number;
  /** Domains of the owner, and auctions. */
  domains: number;
  /** Events of the pool, of its validator and of the nominator. */
  stakes: number;
};

/** Rows that two parties have in common, in the order of the list among their other ones. */
const inCommon = 24;
/** So that the pages of small and large owners are alike, which lists by one of them have. */
/** An even number: an owner has no two rows at one moment. */
const usualTimesAlone = 8;

/** Stores rows of owners in an index of some slots, spread evenly over its time. */
export class LargeOwners {
  readonly #database: Database;
  readonly #slots: number;

  constructor(database: Database, slots: number) {
    this.#database = database;
    this.#slots = slots;
  }

  /** The rows that owners have in common, and some of each alone. */
  async begin(timesAlone = usualTimesAlone): Promise<void> {
    const few = Object.fromEntries(kinds.map((kind) => [kind, inCommon])) as OwnerSizes;
    const more = Object.fromEntries(kinds.map((kind) => [kind, timesAlone * inCommon])) as OwnerSizes;
    for (const size of ["small", "large"] as const) {
      await this.#add(size, few, (name) => [commonParties(size, name)]);
      await this.#add(`${size} first`, more, (...one) => partiesAlone(size, ...one));
    }
  }

  /** Lets the large ones grow by these sizes. */
  grow(sizes: OwnerSizes): Promise<void> {
    return this.#add("later", sizes, (...one) => partiesAlone("large", ...one));
  }

  /** Slot by slot, as the index is written: slots keep bounds of what is written at once. */
  async #add(
    name: string,
    sizes: OwnerSizes,
    of: (name: string, number: number, kind: keyof OwnerSizes) => readonly Parties[],
  ): Promise<void> {
    for (let slot = 0; slot < this.#slots; slot++) {
      const rows: Rows = {};
      for (const kind of kinds) {
        const before = (end: number) => Math.ceil((sizes[kind] * end) / this.#slots - 0.5);
        for (let i = before(slot); i < before(slot + 1); i++) {
          const moment = momentIn(this.#slots, (i + 0.5) / sizes[kind]);
          for (const parties of of(`${name} ${i} ${kind}`, i, kind)) adders[kind](rows, parties, moment, i);
        }
      }
      await storeRows(this.#database, rows);
    }
  }
}

/** Others than the owners. */
function others(name: string, number: number, kind: keyof OwnerSizes): Parties {
  // Owners of two sizes have things at the same moments.
  const [size] = name.split(" ", 1);
  const own = isBetweenFew(kind) ? `${size} ${number % strangers}` : name;
  const each = partyNames.map((party) => [party, bytesNamed(`${own} ${party}`)]);
  const token = isBetweenFew(kind) ? String(number % tokens) : name;
  const ofToken = ofTokens.map((party) => [party, bytesNamed(`${token} ${party}`)]);
  const entries = [...each, ...ofToken];
  return { ...Object.fromEntries(entries), name, type: actionTypesOfOwners.rare } as Parties;
}

/** Accounts that move something meet each other again, and move few tokens. */
const strangers = 97;
const tokens = 5;
const ofTokens: readonly Party[] = ["master", "wallet", "collection", "item"];

function isBetweenFew(kind: keyof OwnerSizes): boolean {
  return kind === "actions" || kind === "transactions" || kind === "events";
}

function commonParties(size: OwnerSize, name: string): Parties {
  const each = partyNames.map((party) => [party, bytesOf(ownerOf(size, party))]);
  return { ...Object.fromEntries(each), name, type: actionTypesOfOwners.rare } as Parties;
}

/** Rows of one thing of each party: it takes part, with others. */
const partiesOf: Readonly<Record<keyof OwnerSizes, readonly Party[]>> = {
  holders: ["master"],
  jettons: ["owner"],
  items: ["owner", "collection"],
  actions: ["owner"],
  transactions: ["owner", "partner"],
  events: ["owner", "partner", "master", "wallet", "collection", "item"],
  orders: ["multisig"],
  multisigs: ["owner"],
  domains: ["owner"],
  stakes: ["pool", "nominator", "validator"],
};
/** A wallet has one jetton, and an item one collection. */
const alwaysWith: { readonly [P in Party]?: readonly Party[] } = { wallet: ["master"], item: ["collection"] };
const kinds = Object.keys(partiesOf) as (keyof OwnerSizes)[];

function partiesAlone(size: OwnerSize, name: string, number: number, kind: keyof OwnerSizes): Parties[] {
  const alone = partiesOf[kind].map((party) => {
    const own = [party, ...(alwaysWith[party] ?? [])].map((each) => [each, bytesOf(ownerOf(size, each))]);
    const strange = others(`${name} of the ${party}`, number, kind);
    return { ...strange, ...Object.fromEntries(own), type: actionTypesOfOwners.common } as Parties;
  });
  // Actions of the rare type are not rare elsewhere.
  const isOfNobody = kind === "actions" && number % 4 === 0;
  return isOfNobody ? [...alone, others(`${name} of nobody`, number, kind)] : alone;
}
