import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { presentHash } from "../../../../shared/ton/present/records.js";
import type { AccountSnapshot } from "../../../../shared/ton/proofs/read/account.js";
import { accountPrefix, shardContainsPrefix } from "../../../../shared/ton/tlb/block-id.js";
import { ifReadable } from "../../../../shared/ton/tlb/readable.js";
import type { Address } from "../../../../shared/values/address.js";
import { base64ToBytes } from "../../../../shared/values/bytes.js";
import type { Queries } from "../../../store/database.js";
import { reads } from "../../../store/reads/index-reads.js";
import type { Receiver } from "./fate.js";

/** An account as of the newest block of the index. */
export type IndexedReceiver = Omit<Receiver, "codeHash" | "data"> & {
  /** The newest masterchain block. */
  seqno: number;
  /** `undefined` if the index lacks the account, so that its state is the one before the first indexed block. */
  state: Pick<Receiver, "codeHash" | "data"> | undefined;
};

/** Reads primary keys and the newest blocks of all shards. */
export async function readIndexedReceiver(
  queries: Queries,
  to: Address,
): Promise<IndexedReceiver | undefined> {
  const range = await reads.unitRange(queries);
  if (!range) return undefined;
  const [row] = await reads.readAccounts(queries, { addresses: [to] }, "data");
  const heads = await reads.shardHeads(queries, range.last);
  const prefix = accountPrefix(to.hash);
  const own = heads.find(
    ({ workchain, shard }) => workchain === to.workchain && shardContainsPrefix(BigInt(`0x${shard}`), prefix),
  );
  const [first] = range.first <= 1 ? [] : await reads.unitsAmong(queries, [range.first]);
  return {
    seqno: range.last,
    utime: own && Number(own.gen_utime),
    knownSince: first ? Number(first.genUtime) : 0,
    state: row && {
      codeHash: row.code_hash ?? undefined,
      data: () => cellIn(row.data_boc),
    },
  };
}

function cellIn(boc: string | null) {
  const bytes = boc === null ? undefined : base64ToBytes(boc);
  return bytes && ifReadable(() => parseBocRoot(bytes));
}

/** The required state of an account from the chain. */
export function stateOf({ code, data }: AccountSnapshot): Pick<Receiver, "codeHash" | "data"> {
  return { codeHash: code && presentHash(code.hash()), data: () => data };
}
