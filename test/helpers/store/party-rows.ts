import { accountsOfAction, locatorOfAction } from "../../../server/store/tables/actions.js";
import { Address } from "../../../shared/values/address.js";
import { nominatorEventRow, poolValidatorEventRow } from "./made-pools.js";
import { madeRow } from "./made-row.js";
import { actionRow, bytesOf, hashOf, messageRow, type Rows, traceRow, transactionRow } from "./rows.js";

// Rows of synthetic indexes: of things of each kind, in which some accounts take part.

/** An lt, and what its block says of it. */
export type Moment = { lt: bigint; now: number; seqno: number };

/** Who takes part in something. A partner has as many rows as the owner, few of them with it. */
export const partyNames = [
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
export type Party = (typeof partyNames)[number];

/** Who takes part in a thing, the name of the thing, and the type of its action. */
export type Parties = Record<Party, Uint8Array> & { name: string; type: string };

type Adder = (rows: Rows, parties: Parties, moment: Moment, number: number) => void;

const namedAccount = (name: string) => new Address(0, hashOf(`owner ${name}`));
export const bytesNamed = (name: string) => bytesOf(namedAccount(name));

/** The contract that a thing of a name is. */
export const contractNamed = (name: string): Address => namedAccount(`contract ${name}`);

/** The shards of synthetic indexes. */
export const shards = [2n ** 62n, -(2n ** 62n)] as const;

/** The shard of a synthetic index that an account is in, of its stored bytes. */
export function shardOf(account: Uint8Array): bigint {
  return account[1]! < 128 ? shards[0] : shards[1];
}

/** Adds what there is of a thing. */
export const adders = {
  /** Most wallets are empty. */
  holders(rows, { name, owner, master }, moment, number) {
    const balance = number % 5 === 0 ? BigInt(1 + ((number * 7919) % 1000)) : 0n;
    push(rows, "jettonWallets", { ...contract(name, moment), balance, owner, jetton: master });
  },
  jettons(rows, parties, moment, number) {
    const { name, owner } = parties;
    adders.holders(rows, parties, moment, number);
    push(rows, "jettonMasters", {
      ...contract(`${name} master`, moment),
      admin_address: owner,
      jetton_content: { name, symbol: name },
    });
  },
  items(rows, { name, owner, collection }, moment, number) {
    push(rows, "nftItems", {
      ...contract(name, moment),
      ...{ init: true, index: BigInt(number), collection_address: collection },
      ...{ owner_address: owner, real_owner: owner, content: { name } },
    });
    if (number % 4 !== 0) return;
    const own = contract(`${name} collection`, moment);
    push(rows, "nftCollections", { ...own, owner_address: owner, collection_content: { name } });
  },
  sales(rows, { name, owner, item }, moment) {
    push(rows, "nftSales", { ...contract(name, moment), nft_address: item, nft_owner_address: owner });
    const auction = contract(`${name} auction`, moment);
    push(rows, "nftAuctions", { ...auction, nft_addr: item, nft_owner: owner });
    const telemint = contract(`${name} telemint`, moment);
    push(rows, "telemintItems", {
      ...telemint,
      ...{ token_name: name, beneficiary_address: owner, has_auction: true },
    });
  },
  actions(rows, { name, owner, partner, type }, moment, number) {
    const action = actionRow(moment, {
      ...{ trace_id: hashOf(`trace ${name}`), action_id: hashOf(name), type },
      ...{ tx_hashes: [hashOf(`transaction ${name}`)], accounts: [owner, partner] },
      initiator: number % 10 === 0 ? 2 : 1,
      ...{ source: owner, destination: partner, value: 5n },
      data: { ton_transfer_data: { encrypted: false } },
    });
    push(rows, "actions", action);
    push(rows, "actionLocator", locatorOfAction(action));
    for (const row of accountsOfAction(action)) push(rows, "actionAccounts", row);
  },
  /** A transaction of the owner and one of the partner, with the message between them, in a trace. */
  transactions(rows, { name, owner, partner }, { lt, now, seqno }) {
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
      ...{ mc_seqno: seqno, trace_id, msg_hash: hashOf(`message ${name}`), source: owner },
      ...{ destination: partner, opcode: 5, created_lt: lt + 1n, created_at: now, value: 5n },
    };
    push(rows, "messages", messageRow({ ...message, tx_hash: trace_id, tx_lt: lt, direction: 1 }));
    const receipt = { tx_hash: received.hash, tx_lt: received.lt, direction: 0 } as const;
    push(rows, "messages", messageRow({ ...message, ...receipt }));
    rows.traces ??= [];
    const ends = { mc_seqno_start: seqno, start_lt: lt, start_utime: now, end_lt: received.lt };
    rows.traces.push(traceRow({ trace_id, ...ends, nodes_: 2, classification_state: 2 }));
  },
  events(rows, { name, owner, partner, master, wallet, collection, item }, { lt, now, seqno }) {
    const [tx_hash, trace_id] = [hashOf(name), hashOf(`trace ${name}`)];
    const event = { tx_hash, tx_lt: lt, tx_now: now, mc_seqno: seqno, trace_id };
    const ofJetton = { ...event, jetton_wallet_address: wallet, jetton_master_address: master };
    push(rows, "jettonTransfers", { ...ofJetton, source: owner, destination: partner });
    push(rows, "jettonBurns", { ...ofJetton, owner });
    push(rows, "nftTransfers", {
      ...{ ...event, nft_item_address: item, nft_collection_address: collection },
      ...{ old_owner: owner, new_owner: partner },
    });
  },
  orders(rows, { name, owner, multisig }, moment, number) {
    push(rows, "multisigOrders", {
      ...contract(name, moment),
      ...{ multisig_address: multisig, order_seqno: BigInt(number), signers: [owner] },
    });
  },
  multisigs(rows, { name, owner }, moment, number) {
    const proposers = number % 2 === 0 ? [owner] : [];
    push(rows, "multisigs", { ...contract(name, moment), signers: [owner], proposers });
    push(rows, "vestingContracts", {
      ...contract(`${name} vesting`, moment),
      vesting_sender_address: owner,
      owner_address: number % 3 === 0 ? bytesNamed(`${name} somebody`) : owner,
      whitelist: number % 2 === 0 ? [owner] : [],
    });
  },
  domains(rows, { name, owner }, moment) {
    push(rows, "dnsEntries", {
      ...contract(name, moment),
      ...{ nft_item_owner: owner, domain: `${name.replaceAll(" ", "-")}.ton`, dns_wallet: owner },
      ...{ max_bid_address: owner, max_bid_amount: 5n, auction_end_time: BigInt(moment.now) },
    });
  },
  stakes(rows, { name, pool, nominator, validator }, { lt, now }) {
    const at = { utime: now, tx_hash: hashOf(name), pool };
    push(rows, "nominatorPoolEvents", nominatorEventRow(lt, "deposit", { ...at, nominator }));
    push(rows, "nominatorPoolEvents", nominatorEventRow(lt, "reward", { ...at, nominator, event_index: 1 }));
    push(rows, "nominatorPoolValidatorEvents", poolValidatorEventRow(lt, "reward", { ...at, validator }));
  },
} satisfies Record<string, Adder>;

function contract(name: string, { lt }: Moment) {
  return { address: bytesOf(contractNamed(name)), first_seen_lt: lt, last_transaction_lt: lt };
}

/** Adds a row with these columns to those of a table. */
export function push<Name extends Exclude<keyof Rows, "traces" | "messageContents">>(
  rows: Rows,
  name: Name,
  special: Parameters<typeof madeRow<Name>>[1],
): void {
  rows[name] ??= [];
  (rows[name] as object[]).push(madeRow(name, special));
}
