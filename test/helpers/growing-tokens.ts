import type { TransactionRow } from "../../server/store/tables/transactions.js";
import { Address } from "../../shared/values/address.js";
import { bytesOf, hashOf, type Rows } from "./rows.js";

const named = (name: string) => new Address(0, hashOf(`token ${name}`));

/** What tests ask for. The busy ones have contracts and events in every slot, the rare ones in the first slot only. */
export const grownTokens = {
  busyMaster: named("busy master"),
  rareMaster: named("rare master"),
  busyWallet: named("busy wallet"),
  busyCollection: named("busy collection"),
  rareCollection: named("rare collection"),
  busyItem: named("busy item"),
} as const;

/** Owners of contracts and events. */
export type TokenOwners = { busy: Address; rare: Address };

/** Every so many transactions there is an event of each kind; of these every so many are of busy accounts. */
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
      jetton_content: {},
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
      collection_content: {},
    });
    rows.nftItems.push({
      ...contract("item"),
      init: true,
      index: BigInt(slot * 1000 + i),
      collection_address: collection,
      owner_address: owner,
      real_owner: owner,
      content: {},
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

const tableNames = [
  "jettonMasters",
  "jettonWallets",
  "nftCollections",
  "nftItems",
  "jettonTransfers",
  "jettonBurns",
  "nftTransfers",
] as const;
