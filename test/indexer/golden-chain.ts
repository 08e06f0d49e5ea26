import { createHash } from "node:crypto";
import { TimeSlice } from "../../server/chain/time-slice.js";
import { absentAccount, type FinalAccountState } from "../../server/indexer/decode/account.js";
import type { DecodedTransaction } from "../../server/indexer/decode/decode-block.js";
import type { MasterchainUnit } from "../../server/indexer/units/chain-units.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../shared/ton/tlb/block-id.js";
import { ConfigDictionary } from "../../shared/ton/tlb/config-params.js";
import type { Address } from "../../shared/values/address.js";
import {
  bytesOf,
  type GoldenTransaction,
  goldenCase,
  messageOf,
  rowOf,
} from "../helpers/index/golden-case.js";
import { blockRow } from "../helpers/store/rows.js";
import type { TraceCase } from "../helpers/test-data.js";

/** A transaction of a masterchain block, without bodies. */
export function goldenTransaction(golden: GoldenTransaction, mcSeqno: number): DecodedTransaction {
  const place = { block_workchain: masterchain, block_seqno: mcSeqno, mc_block_seqno: mcSeqno };
  const row = { ...rowOf(golden), ...place, trace_id: bytesOf(golden.hash) };
  const message = (each: Parameters<typeof messageOf>[0], direction: number) => ({
    ...messageOf(each, golden, direction),
    mc_seqno: mcSeqno,
  });
  return {
    row,
    inMessage: golden.in_msg ? message(golden.in_msg, 0) : undefined,
    ...{ inCell: undefined, inBody: undefined },
    outMessages: golden.out_msgs.map((each) => message(each, 1)),
    outBodies: [],
  };
}

/** The transactions of all traces as a chain of masterchain blocks, one for each that any of them was in. */
export class GoldenChain {
  readonly timeSlice = new TimeSlice();
  readonly #blocks: GoldenTransaction[][];

  readonly traces: number;

  constructor(cases: readonly TraceCase[]) {
    // Some cases are about the same trace.
    const goldens = new Map(cases.map(goldenCase).map((golden) => [golden.trace.trace_id, golden]));
    this.traces = goldens.size;
    const transactions = [...goldens.values()].flatMap((golden) => golden.transactions);
    const byBlock = new Map<number, GoldenTransaction[]>();
    for (const each of transactions)
      byBlock.set(each.mc_block_seqno, [...(byBlock.get(each.mc_block_seqno) ?? []), each]);
    this.#blocks = [...byBlock].sort(([a], [b]) => a - b).map(([, block]) => block);
  }

  /** The last lt of any transaction. */
  get lastLt(): bigint {
    return this.#blocks.flat().reduce((last, { lt }) => (BigInt(lt) > last ? BigInt(lt) : last), 0n);
  }

  get length(): number {
    return this.#blocks.length;
  }

  id(seqno: number): BlockIdExt {
    const rootHash = createHash("sha256").update(String(seqno)).digest();
    return { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash: rootHash };
  }

  async blockBefore(seqno: number): Promise<BlockIdExt> {
    return this.id(seqno - 1);
  }

  /** A network without an elector. */
  async config(): Promise<ConfigDictionary> {
    return ConfigDictionary.empty;
  }

  async read(seqno: number): Promise<MasterchainUnit> {
    const id = this.id(seqno);
    const transactions = this.#blocks[seqno - 1]!.map((each) => goldenTransaction(each, seqno));
    const times = transactions.map(({ row }) => row.now);
    const genUtime = Math.max(...times);
    return {
      seqno,
      id,
      previousRootHash: this.id(seqno - 1).rootHash,
      genUtime,
      blocks: [
        {
          row: blockRow({
            ...{ seqno, root_hash: id.rootHash, file_hash: id.fileHash, gen_utime: genUtime },
            ...{ start_lt: 0n, end_lt: 0n, tx_count: transactions.length },
          }),
          transactions,
          contents: [],
          accounts: { read: [], unread: [] },
        },
      ],
      heads: [id],
      accounts: [],
    };
  }

  /** These blocks are not used to test accounts. */
  async account(_block: BlockIdExt, address: Address): Promise<FinalAccountState> {
    return absentAccount(address);
  }
}
