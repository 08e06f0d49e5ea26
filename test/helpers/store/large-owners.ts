import type { Database } from "../../../server/store/database.js";
import { type ActionRow, accountsOfAction } from "../../../server/store/tables/actions.js";
import { hashPrefix } from "../../../server/store/tables/directories.js";
import { Address } from "../../../shared/values/address.js";
import { type Moment, momentIn, shardOf } from "./growing-index.js";
import { nominatorEventRow, poolValidatorEventRow } from "./made-pools.js";
import { bytesOf, hashOf, messageRow, type Rows, storeRows, transactionRow } from "./rows.js";

const bytesNamed = (name: string) => bytesOf(new Address(0, hashOf(`owner ${name}`)));

/** Who takes part in something. A partner has as many rows as the owner, few of them with it. */
const partyNames = [
  "owner",
  "partner",
  "master",
  "wallet",
  "collection",
  "item",
  "multisig",
  "pool",
  "nominator",
  "validator",
] as const;
type Party = (typeof partyNames)[number];

/** Owners with few rows, and owners with many beside the same few, which each of them has in common with all others. */
export type OwnerSize = "small" | "large";

/** An owner of a size. */
export function ownerOf(size: OwnerSize, party: Party): Address {
  return new Address(0, hashOf(`owner ${size} ${party}`));
}

/** A contract that owners of a size have in common. */
export function commonContract(size: OwnerSize, kind: string): Address {
  return new Address(0, hashOf(`owner contract ${size} 3 ${kind}`));
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

type Parties = Record<Party, Uint8Array> & { name: string; type: string };

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

type Adder = (rows: Rows, parties: Parties, moment: Moment, number: number) => void;

const adders: Readonly<Record<keyof OwnerSizes, Adder>> = {
  holders: addWallet,
  jettons(rows, parties, moment, number) {
    addWallet(rows, parties, moment, number);
    push(rows, "jettonMasters", {
      ...contract(`${parties.name} master`, moment),
      total_supply: 5n,
      mintable: true,
      admin_address: parties.owner,
      jetton_content: { name: parties.name, symbol: parties.name },
      jetton_wallet_code_hash: hashOf("code"),
    });
  },
  items(rows, { name, owner, collection }, moment, number) {
    push(rows, "nftItems", {
      ...contract(name, moment),
      init: true,
      index: BigInt(number),
      collection_address: collection,
      owner_address: owner,
      real_owner: owner,
      content: { name },
    });
    if (number % 4 !== 0) return;
    push(rows, "nftCollections", {
      ...contract(`${name} collection`, moment),
      next_item_index: 3n,
      owner_address: owner,
      collection_content: { name },
    });
  },
  actions: addAction,
  transactions: addTransaction,
  events: addEvents,
  orders: addOrder,
  multisigs: addMultisigs,
  domains(rows, { name, owner }, moment) {
    push(rows, "dnsEntries", {
      ...contract(name, moment),
      nft_item_owner: owner,
      domain: `${name.replaceAll(" ", "-")}.ton`,
      dns_wallet: owner,
      dns_next_resolver: undefined,
      dns_site_adnl: undefined,
      dns_storage_bag_id: undefined,
      max_bid_address: owner,
      max_bid_amount: 5n,
      auction_end_time: BigInt(moment.now),
      last_fill_up_time: undefined,
    });
  },
  stakes(rows, { name, pool, nominator, validator }, { lt, now }) {
    const at = { utime: now, tx_hash: hashOf(name), pool };
    push(rows, "nominatorPoolEvents", nominatorEventRow(lt, "deposit", { ...at, nominator }));
    push(rows, "nominatorPoolEvents", nominatorEventRow(lt, "reward", { ...at, nominator, event_index: 1 }));
    push(rows, "nominatorPoolValidatorEvents", poolValidatorEventRow(lt, "reward", { ...at, validator }));
  },
};

/** Most wallets are empty. */
function addWallet(rows: Rows, { name, owner, master }: Parties, moment: Moment, number: number): void {
  push(rows, "jettonWallets", {
    ...contract(name, moment),
    balance: number % 5 === 0 ? BigInt(1 + ((number * 7919) % 1000)) : 0n,
    owner,
    jetton: master,
    mintless_is_claimed: undefined,
  });
}

function addAction(rows: Rows, { name, owner, partner, type }: Parties, { lt, now, seqno }: Moment): void {
  const action: ActionRow = {
    trace_id: hashOf(`trace ${name}`),
    action_id: hashOf(name),
    type,
    ancestor_type: [],
    start_lt: lt,
    end_lt: lt,
    start_utime: now,
    end_utime: now,
    mc_seqno_end: seqno,
    trace_end_lt: lt,
    trace_end_utime: now,
    trace_mc_seqno_end: seqno,
    tx_hashes: [hashOf(`transaction ${name}`)],
    accounts: [owner, partner],
    success: true,
    source: owner,
    destination: partner,
    value: 5n,
    data: { ton_transfer_data: { encrypted: false } },
  };
  push(rows, "actions", action);
  push(rows, "actionLocator", { hash_prefix: hashPrefix(action.action_id), trace_end_lt: lt });
  for (const row of accountsOfAction(action)) push(rows, "actionAccounts", row);
}

/** A transaction of the owner and one of the partner, with the message between them, in a trace. */
function addTransaction(rows: Rows, { name, owner, partner }: Parties, { lt, now, seqno }: Moment): void {
  const trace_id = hashOf(`sent ${name}`);
  const of = { now, mc_block_seqno: seqno, block_seqno: seqno, trace_id };
  const received = { hash: hashOf(`received ${name}`), lt: lt + 2n };
  const sides = [
    { account: owner, lt, hash: trace_id },
    { account: partner, ...received },
  ];
  for (const side of sides)
    push(rows, "transactions", transactionRow({ ...of, ...side, block_shard: shardOf(side.account) }));
  const message = {
    mc_seqno: seqno,
    trace_id,
    msg_hash: hashOf(`message ${name}`),
    source: owner,
    destination: partner,
    opcode: 5,
    created_lt: lt + 1n,
    created_at: now,
    value: 5n,
  };
  push(rows, "messages", messageRow({ ...message, tx_hash: trace_id, tx_lt: lt, direction: 1 }));
  const receipt = { tx_hash: received.hash, tx_lt: received.lt, direction: 0 } as const;
  push(rows, "messages", messageRow({ ...message, ...receipt }));
  rows.traces ??= [];
  rows.traces.push({
    trace_id,
    external_hash: undefined,
    external_hash_norm: undefined,
    mc_seqno_start: seqno,
    mc_seqno_end: seqno,
    start_lt: lt,
    start_utime: now,
    end_lt: received.lt,
    end_utime: now,
    state: 1,
    pending_edges_: 0,
    edges_: 1,
    nodes_: 2,
    classification_state: 2,
  });
}

function addEvents(
  rows: Rows,
  { name, owner, partner, master, wallet, collection, item }: Parties,
  { lt, now, seqno }: Moment,
): void {
  const event = {
    tx_hash: hashOf(name),
    tx_lt: lt,
    tx_now: now,
    tx_aborted: false,
    mc_seqno: seqno,
    trace_id: hashOf(`trace ${name}`),
    query_id: 1n,
    response_destination: undefined,
    custom_payload: undefined,
  };
  const ofJetton = { jetton_wallet_address: wallet, jetton_master_address: master, amount: 5n };
  push(rows, "jettonTransfers", {
    ...event,
    ...ofJetton,
    forward_payload: undefined,
    source: owner,
    destination: partner,
    forward_ton_amount: 1n,
  });
  push(rows, "jettonBurns", { ...event, ...ofJetton, owner });
  push(rows, "nftTransfers", {
    ...event,
    forward_payload: undefined,
    nft_item_address: item,
    nft_item_index: 1n,
    nft_collection_address: collection,
    old_owner: owner,
    new_owner: partner,
    forward_amount: 1n,
  });
}

function addOrder(rows: Rows, { name, owner, multisig }: Parties, moment: Moment, number: number): void {
  push(rows, "multisigOrders", {
    ...contract(name, moment),
    multisig_address: multisig,
    order_seqno: BigInt(number),
    threshold: 1n,
    sent_for_execution: false,
    signers: [owner],
    approvals_mask: 0n,
    approvals_num: 0n,
    expiration_date: 1n,
    order_boc: new Uint8Array(64),
  });
}

function addMultisigs(rows: Rows, { name, owner }: Parties, moment: Moment, number: number): void {
  push(rows, "multisigs", {
    ...contract(name, moment),
    next_order_seqno: 1n,
    threshold: 1n,
    signers: [owner],
    proposers: number % 2 === 0 ? [owner] : [],
  });
  push(rows, "vestingContracts", {
    ...contract(`${name} vesting`, moment),
    vesting_start_time: 1n,
    vesting_total_duration: 1n,
    unlock_period: 1n,
    cliff_duration: 0n,
    vesting_total_amount: 5n,
    vesting_sender_address: owner,
    owner_address: number % 3 === 0 ? bytesNamed(`${name} somebody`) : owner,
    whitelist: number % 2 === 0 ? [owner] : [],
  });
}

function contract(name: string, { lt }: Moment) {
  return {
    address: bytesNamed(`contract ${name}`),
    first_seen_lt: lt,
    last_transaction_lt: lt,
    timestamp: 100,
    code_hash: hashOf("code"),
    data_hash: hashOf("data"),
    destroyed: false,
  };
}

function push<Name extends Exclude<keyof Rows, "traces" | "messageContents">>(
  rows: Rows,
  name: Name,
  row: NonNullable<Rows[Name]>[number],
): void {
  rows[name] ??= [];
  (rows[name] as (typeof row)[]).push(row);
}
