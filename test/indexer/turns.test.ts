import { expect, test } from "vitest";
import { Pace } from "../../server/chain/time-slice.js";
import { decodeBlock, openBlock } from "../../server/indexer/decode/decode-block.js";
import { Group } from "../../server/indexer/group.js";
import { groupSteps } from "../../server/indexer/store-group.js";
import { TraceAssembler } from "../../server/indexer/traces.js";
import { masterchain, wholeShard } from "../../server/tlb/block-id.js";
import { describeWithChain } from "../helpers/test-data.js";

/** Of which every slice is over at once. */
class CountingPace extends Pace {
  turns = 0;

  constructor() {
    super(0);
  }

  override breathe(): Promise<void> {
    this.turns++;
    return super.breathe();
  }

  /** How often others had their turn during the work. */
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
    const pace = new CountingPace();
    const context = { id, mcSeqno: 1, globalVersion: 11, pace };

    const [block, decoding] = await pace.during(() => decodeBlock(openBlock(entry.read()), context));
    const { transactions, contents, accounts } = block;
    expect(transactions.length).toBe(most);
    expect(most).toBeGreaterThan(10);
    expect(decoding).toBe(transactions.length + accounts.read.length + accounts.unread.length);

    const traces = new TraceAssembler();
    const [, assembling] = await pace.during(() => traces.take(transactions, 1, pace));
    expect(assembling).toBe(transactions.length);

    const group = new Group();
    const unit = { seqno: 1, id, previousRootHash: hash, genUtime: 1, blocks: [block], heads: [id] };
    const [, adding] = await pace.during(() => group.add({ ...unit, accounts: accounts.read }, pace));
    expect(adding).toBe(transactions.length + contents.length);

    const changes = traces.changes();
    const [, encoding] = await pace.during(() => groupSteps(group, changes, pace));
    expect(encoding).toBe(
      changes.traces.length + group.accountStates.size + group.codes.size + group.accounts.size,
    );
  });
});
