import type { contractColumns } from "../../../server/store/tables/contract-columns.js";
import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { Address } from "../../../shared/values/address.js";
import { bytesOf, hashOf, type Rows } from "./rows.js";

const named = (name: string) => new Address(0, hashOf(`token ${name}`));

/**
 * Values for the reads of tests. The busy ones have contracts and events in every slot, the rare ones in the first slot
 * only.
 */
export const grownTokens = {
  busyMaster: named("busy master"),
  rareMaster: named("rare master"),
  busyWallet: named("busy wallet"),
  busyCollection: named("busy collection"),
  rareCollection: named("rare collection"),
  busyItem: named("busy item"),
  /** Has an order in every slot, and more. */
  busyMultisig: named("busy multisig"),
  /** Multisig of the rare account, with an order. */
  rareMultisig: named("multisig 0 3"),
  /** A sale, an auction and an item of Telegram. */
  sales: ["sale 0 3", "auction 0 3", "telemint 0 3"].map(named),
} as const;

/** Owners of contracts and events; of multisig and vesting wallets only the rare one. */
type TokenOwners = { busy: Address; rare: Address };

/** Interval, in transactions, of an event of each kind, and interval of events of busy accounts among these. */
const eventEvery = 8;
const busyEvery = 5;

/** Token contracts and events, each event in one of the transactions of a slot. */
export function tokenRows(
  transactions: readonly TransactionRow[],
  slot: number,
  owners: TokenOwners,
): Required<Pick<Rows, (typeof tableNames)[number]>> {
  const rows = Object.fromEntries(tableNames.map((name) => [name, []])) as unknown as ReturnType<
    typeof tokenRows
  >;
  for (let i = 0; i * eventEvery < transactions.length; i++) {
    const at = i * eventEvery;
    const isRare = slot === 0 && i === 3;
    const own = (kind: string) => bytesOf(named(`${kind} ${slot} ${i}`));
    const choose = (kind: string, busy: Address, rare: Address, shift = 0) =>
      isRare ? bytesOf(rare) : (i + shift) % busyEvery === 0 ? bytesOf(busy) : own(kind);
    const contract = (kind: string) => ({
      address: own(kind),
      first_seen_lt: transactions[at]!.lt,
      last_transaction_lt: transactions[at]!.lt,
      timestamp: 100,
      code_hash: hashOf("code"),
      data_hash: hashOf(`data ${kind} ${slot} ${i}`),
      destroyed: false,
    });
    const owner = choose("owner", owners.busy, owners.rare);
    const receiver = choose("receiver", owners.busy, owners.rare, 1);
    const master = choose("master", grownTokens.busyMaster, grownTokens.rareMaster, Math.floor(i / 2));
    const collection = choose("collection", grownTokens.busyCollection, grownTokens.rareCollection);
    rows.jettonMasters.push({
      ...contract("master"),
      total_supply: 5n,
      mintable: true,
      admin_address: owner,
      jetton_content: { name: `Grown ${slot} ${i}`, symbol: "GROWN" },
      jetton_wallet_code_hash: hashOf("code"),
    });
    rows.jettonWallets.push({
      ...contract("wallet"),
      balance: BigInt((i * 7919) % 1000),
      owner,
      jetton: master,
      mintless_is_claimed: undefined,
    });
    rows.nftCollections.push({
      ...contract("collection"),
      next_item_index: 3n,
      owner_address: owner,
      collection_content: { name: "Grown" },
    });
    rows.nftItems.push({
      ...contract("item"),
      init: true,
      index: BigInt(slot * 1000 + i),
      collection_address: collection,
      owner_address: owner,
      real_owner: owner,
      content: { name: `Grown ${i}` },
    });
    addContracts(rows, contract, {
      owner: isRare ? owner : own("party"),
      multisig: choose("multisig", grownTokens.busyMultisig, grownTokens.rareMultisig),
      item: own("item"),
      number: BigInt(slot * 1000 + i),
    });
    const event = (step: number) => {
      const { hash, lt, now, mc_block_seqno, trace_id } = transactions[(at + step) % transactions.length]!;
      return {
        tx_hash: hash,
        tx_lt: lt,
        tx_now: now,
        tx_aborted: false,
        mc_seqno: mc_block_seqno,
        trace_id,
        query_id: 1n,
        response_destination: undefined,
        custom_payload: undefined,
      };
    };
    const ofJetton = {
      jetton_wallet_address: choose("wallet", grownTokens.busyWallet, owners.rare),
      jetton_master_address: master,
      amount: 5n,
    };
    const forwarded = { forward_payload: undefined };
    rows.jettonTransfers.push({
      ...event(0),
      ...ofJetton,
      ...forwarded,
      source: owner,
      destination: receiver,
      forward_ton_amount: 1n,
    });
    rows.jettonBurns.push({ ...event(1), ...ofJetton, owner });
    rows.nftTransfers.push({
      ...event(2),
      ...forwarded,
      nft_item_address: choose("item", grownTokens.busyItem, owners.rare),
      nft_item_index: 1n,
      nft_collection_address: collection,
      old_owner: owner,
      new_owner: receiver,
      forward_amount: 1n,
    });
  }
  return rows;
}

type Contract = Pick<NonNullable<Rows["multisigs"]>[number], keyof typeof contractColumns>;
type Parties = { owner: Uint8Array; multisig: Uint8Array; item: Uint8Array; number: bigint };

/** Sales, multisig wallets and vesting wallets. */
function addContracts(
  rows: ReturnType<typeof tokenRows>,
  contract: (kind: string) => Contract,
  { owner, multisig, item, number }: Parties,
): void {
  const anybody = bytesOf(named("anybody"));
  rows.nftSales.push({
    ...contract("sale"),
    is_complete: false,
    created_at: 1n,
    marketplace_address: anybody,
    nft_address: item,
    nft_owner_address: owner,
    full_price: 5n,
    marketplace_fee_address: anybody,
    marketplace_fee: 1n,
    royalty_address: anybody,
    royalty_amount: 1n,
    sold_at: undefined,
    sold_query_id: undefined,
    jetton_price_dict: undefined,
  });
  rows.nftAuctions.push({
    ...contract("auction"),
    end_flag: false,
    end_time: 1n,
    mp_addr: anybody,
    nft_addr: item,
    nft_owner: owner,
    last_bid: 5n,
    last_member: undefined,
    min_step: 1n,
    mp_fee_addr: anybody,
    mp_fee_factor: 1n,
    mp_fee_base: 1n,
    royalty_fee_addr: anybody,
    royalty_fee_factor: 1n,
    royalty_fee_base: 1n,
    max_bid: 5n,
    min_bid: 5n,
    created_at: 1n,
    last_bid_at: 1n,
    is_canceled: false,
    activated: undefined,
    step_time: undefined,
    last_query_id: undefined,
    jetton_wallet: undefined,
    jetton_master: undefined,
    is_broken_state: undefined,
    public_key: undefined,
  });
  rows.telemintItems.push({
    ...contract("telemint"),
    token_name: `name ${number}`,
    bidder_address: undefined,
    bid: 5n,
    bid_ts: 1n,
    min_bid: 5n,
    end_time: 1n,
    beneficiary_address: owner,
    initial_min_bid: 5n,
    max_bid: 5n,
    min_bid_step: 1n,
    min_extend_time: 1n,
    duration: 1n,
    royalty_numerator: 1n,
    royalty_denominator: 1n,
    royalty_destination: anybody,
    has_auction: true,
  });
  rows.multisigs.push({
    ...contract("multisig"),
    next_order_seqno: number,
    threshold: 1n,
    signers: [owner],
    proposers: [owner],
  });
  rows.multisigOrders.push({
    ...contract("order"),
    multisig_address: multisig,
    order_seqno: number,
    threshold: 1n,
    sent_for_execution: false,
    signers: [owner],
    approvals_mask: 0n,
    approvals_num: 0n,
    expiration_date: 1n,
    order_boc: new Uint8Array(64),
  });
  rows.vestingContracts.push({
    ...contract("vesting"),
    vesting_start_time: 1n,
    vesting_total_duration: 1n,
    unlock_period: 1n,
    cliff_duration: 0n,
    vesting_total_amount: 5n,
    vesting_sender_address: owner,
    owner_address: owner,
    whitelist: [owner],
  });
}

const tableNames = [
  "jettonMasters",
  "jettonWallets",
  "nftCollections",
  "nftItems",
  "jettonTransfers",
  "jettonBurns",
  "nftTransfers",
  "nftSales",
  "nftAuctions",
  "telemintItems",
  "multisigs",
  "multisigOrders",
  "vestingContracts",
] as const;
