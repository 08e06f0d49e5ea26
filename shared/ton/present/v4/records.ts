import type { z } from "zod";
import type * as schema from "../../../schema/v4/records.js";
import { Address } from "../../../values/address.js";
import { bytesToBase64 } from "../../../values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import type { AccountSnapshot } from "../../proofs/read/account.js";
import type { ListedTransaction } from "../../proofs/read/block-transactions.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import type { StateInit } from "../../tlb/state-init.js";
import { presentBoc, presentHash, presentShard } from "../records.js";

type Account = z.output<typeof schema.v4Account>;
type AccountLite = z.output<typeof schema.v4AccountLite>;

export function presentV4BlockId(id: BlockIdExt): z.output<typeof schema.v4BlockId> {
  return {
    workchain: id.workchain,
    seqno: id.seqno,
    shard: presentShard(id.shard),
    rootHash: bytesToBase64(id.rootHash),
    fileHash: bytesToBase64(id.fileHash),
  };
}

/** A block with the ids of its transactions. */
export function presentV4Shard(
  id: BlockIdExt,
  transactions: readonly ListedTransaction[],
): z.output<typeof schema.v4Shard> {
  return {
    ...presentV4BlockId(id),
    transactions: transactions.map(({ account, hash, lt }) => ({
      account: new Address(id.workchain, account).toFriendly(),
      hash: bytesToBase64(hash),
      lt: lt.toString(),
    })),
  };
}

export function presentV4Account(snapshot: AccountSnapshot): Account {
  return presentWith(snapshot, ({ code, data }) => ({
    type: "active",
    code: presentV4Cell(code),
    data: presentV4Cell(data),
  }));
}

export function presentV4AccountLite(snapshot: AccountSnapshot): AccountLite {
  return presentWith(snapshot, ({ code, data }) => ({
    type: "active",
    codeHash: presentHash(code?.hash()),
    dataHash: presentHash(data?.hash()),
  }));
}

/** The BOC of a cell in base64; null without a cell. */
export function presentV4Cell(cell: Cell | undefined): string | null {
  return cell ? presentBoc(cell) : null;
}

/** An account by its own state, in which an active one may have no code. */
function presentWith<Active>(
  { account, balance, extraCurrencies, lastTransaction }: AccountSnapshot,
  presentActive: (init: StateInit) => Active,
) {
  const state = account?.storage.state;
  const { lt, hash } = lastTransaction;
  return {
    state:
      state?.kind === "active"
        ? presentActive(state.init)
        : state?.kind === "frozen"
          ? ({ type: "frozen", stateHash: bytesToBase64(state.stateHash) } as const)
          : ({ type: "uninit" } as const),
    balance: {
      coins: balance.toString(),
      currencies: Object.fromEntries(
        Array.from(extraCurrencies.entries(), ([id, amount]) => [id, amount.toString()]),
      ),
    },
    last: lt === 0n ? null : { lt: lt.toString(), hash: bytesToBase64(hash) },
    storageStat: account ? presentStorage(account.storageStat) : null,
  };
}

type StorageStat = NonNullable<AccountSnapshot["account"]>["storageStat"];

function presentStorage({ lastPaid, duePayment, used }: StorageStat): NonNullable<Account["storageStat"]> {
  return {
    lastPaid,
    duePayment: duePayment?.toString() ?? null,
    used: { bits: Number(used.bits), cells: Number(used.cells) },
  };
}
