import { expect, it } from "vitest";
import { Executor } from "../../../server/chain/executor/executor.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { transactionsOf } from "../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { describeWithChain } from "../../helpers/test-data.js";

/** The context of a block's execution. */
type Fixture = {
  previous_accounts: { account: string; shard_account_boc_base64: string }[];
  config: {
    config_root_boc_base64: string;
    prev_blocks_stack_boc_base64: string;
    libraries_boc_base64: string[];
  };
};

const cellOf = (base64: string): Cell => parseBocRoot(Buffer.from(base64, "base64"));

describeWithChain("replaying a real block", (chain) => {
  const entry = chain.one({ kind: "replay_fixture" });
  const { network, workchain, shard, seqno } = entry;
  const [recorded] = chain.where({ kind: "block", network, workchain, shard, seqno });

  it("gives all its transactions, bit by bit", async ({ skip }) => {
    if (recorded === undefined) return skip("the chain data have no block of the fixture");
    const block = decode(Block, parseBocRoot(recorded.read()));
    const fixture = JSON.parse(Buffer.from(entry.read()).toString()) as Fixture;
    const accounts = new Map(
      fixture.previous_accounts.map((row) => [row.account, cellOf(row.shard_account_boc_base64)]),
    );
    const config = cellOf(fixture.config.config_root_boc_base64);
    const libraries = cellOf(fixture.config.libraries_boc_base64[0]!);
    const executor = await Executor.create();
    let count = 0;
    for (const transaction of transactionsOf(block.extra.value.accountBlocks.value)) {
      const { accountAddr, lt, now, messages } = transaction.value;
      const account = `${workchain}:${bytesToHex(accountAddr)}`;
      const result = executor.runTransaction({
        config,
        libraries,
        shardAccount: accounts.get(account)!,
        message: messages.value.inMsg!.cell,
        now,
        lt,
        randSeed: block.extra.value.randSeed,
      });
      if (result.outcome !== "done") throw new Error(`${account} ${lt}: ${result.reason}`);
      expect(result.transaction.hashHex()).toBe(transaction.cell.hashHex());
      accounts.set(account, result.shardAccount);
      count++;
    }
    expect(count).toBe(recorded.facts["n_txs"]);
  });
});
