import { Cell as CoreCell, loadTransaction as coreLoadTransaction } from "@ton/core";
import { expect, test } from "vitest";
import { parseBocRoot, serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { transactionsOf } from "../../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { sized } from "../../../helpers/effort.js";
import { describeWithChain } from "../../../helpers/test-data.js";
import { plain, transactionView } from "./core-view.js";

describeWithChain("transactions of the real networks compared with @ton/core", (chain) => {
  const blocks = chain.where({ kind: "block" }).filter(({ facts }) => (facts["n_txs"] as number) > 0);

  test.each(blocks.map((entry) => [entry.file, entry] as const))(
    "those of %s have the same fields",
    (_file, entry) => {
      const block = decode(Block, parseBocRoot(entry.read()));
      const transactions = [...transactionsOf(block.extra.value.accountBlocks.value)];
      // @ton/core takes milliseconds per transaction.
      const step = Math.ceil(transactions.length / sized(20, 200));
      for (let i = 0; i < transactions.length; i += step) {
        const { cell, value } = transactions[i]!;
        const core = coreLoadTransaction(CoreCell.fromBoc(Buffer.from(serializeBoc(cell)))[0]!.beginParse());
        expect(plain(transactionView(cell, value))).toEqual(plain(core));
      }
    },
  );
});
