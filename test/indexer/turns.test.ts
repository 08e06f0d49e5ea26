import { expect, test } from "vitest";
import { TimeSlice } from "../../server/chain/time-slice.js";
import { addLateRows } from "../../server/indexer/batch/store-batch.js";
import { decodeBlock, openBlock } from "../../server/indexer/decode/decode-block.js";
import { keyOf } from "../../server/indexer/hash-key.js";
import { RowBatch } from "../../server/indexer/rows/row-batch.js";
import { TraceAssembler } from "../../server/indexer/traces/trace-assembler.js";
import { RowSet } from "../../server/store/copy/row-set.js";
import { masterchain, wholeShard } from "../../shared/ton/tlb/block-id.js";
import { describeWithChain } from "../helpers/test-data.js";

/** Its slices end immediately. */
class CountingPace extends TimeSlice {
  turns = 0;

  constructor() {
    super(0);
  }

  override yieldIfDue(): Promise<void> {
    this.turns++;
    return super.yieldIfDue();
  }

  /** Number of other turns during the work. */
  async during<T>(work: () => Promise<T>): Promise<[T, number]> {
    const before = this.turns;
    return [await work(), this.turns - before];
  }
}

describeWithChain("A block with many transactions", (chain) => {
  const blocks = chain.where({ kind: "block", network: "mainnet" });

  test("lets others have their turn between any two of them, at every step into the index", async () => {
    const counts = blocks.map(({ facts }) => Number(facts["n_txs"]));
    const most = Math.max(...counts);
    const entry = blocks[counts.indexOf(most)]!;
    const hash = Buffer.from(entry.rootHash!, "hex");
    const id = { workchain: masterchain, shard: wholeShard, seqno: 1, rootHash: hash, fileHash: hash };
    const timeSlice = new CountingPace();
    const context = { id, mcSeqno: 1, globalVersion: 11, timeSlice };

    const [block, decoding] = await timeSlice.during(() => decodeBlock(openBlock(entry.read()), context));
    const { transactions, contents, accounts } = block;
    expect(transactions.length).toBe(most);
    expect(most).toBeGreaterThan(10);
    expect(decoding).toBe(transactions.length + accounts.read.length + accounts.unread.length);

    const traces = new TraceAssembler();
    const [, assembling] = await timeSlice.during(() => traces.take(transactions, 1, timeSlice));
    expect(assembling).toBe(transactions.length);

    const batch = new RowBatch(new RowSet());
    const unit = { seqno: 1, id, previousRootHash: hash, genUtime: 1, blocks: [block], heads: [id] };
    const [, adding] = await timeSlice.during(() =>
      batch.add({ ...unit, accounts: accounts.read }, timeSlice),
    );
    expect(adding).toBe(transactions.length + contents.length);

    const changes = traces.changes();
    const slotOf = () => 0n;
    const [, encoding] = await timeSlice.during(() => addLateRows(batch, changes, { timeSlice, slotOf }));
    const directories = [
      ...batch.chain.blockHours(),
      ...batch.chain.accountSlots(slotOf),
      ...batch.chain.opcodeSlots(slotOf),
      ...batch.chain.bodySlots(slotOf),
      ...batch.chain.shardSlots(slotOf),
      ...batch.chain.messageContents(slotOf),
      ...batch.chain.accountTraces(changes.traces),
    ];
    const codes = new Set(
      [...batch.accounts.values()].flatMap(({ code }) => (code?.cell ? [keyOf(code.hash)] : [])),
    );
    expect(encoding).toBe(
      batch.accountStates.size + batch.codes.size + batch.accounts.size + codes.size + directories.length,
    );
  });
});
