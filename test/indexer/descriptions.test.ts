import fc from "fast-check";
import { expect, test } from "vitest";
import { transactionRow } from "../../server/indexer/decode/transaction-row.js";
import { bounceKinds, skipReasons, transactionKinds } from "../../server/store/codes.js";
import type { TransactionRow } from "../../server/store/tables/transactions.js";
import { wholeShard } from "../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../shared/ton/tlb/cell-of.js";
import { Transaction } from "../../shared/ton/tlb/transaction.js";
import type { TransactionDescr } from "../../shared/ton/tlb/transaction-descr.js";
import { transaction } from "../helpers/chain/tlb-arbitraries.js";

const block = { workchain: 0, shard: wholeShard, seqno: 1 };
const rowOf = (value: Transaction) => transactionRow(CellOf.of(Transaction, value), block, 1);

const words: Record<TransactionDescr["kind"], (typeof transactionKinds)[number]> = {
  ord: "ord",
  storage: "storage",
  tickTock: "tick_tock",
  splitPrepare: "split_prepare",
  splitInstall: "split_install",
  mergePrepare: "merge_prepare",
  mergeInstall: "merge_install",
};

/** `noState` is `no_state`. */
function reasonCode(reason: string): number {
  const word = reason.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return (skipReasons as readonly string[]).indexOf(word);
}

/** The expected columns of a description's existing parts. */
function expectedColumns(descr: TransactionDescr): Partial<TransactionRow> {
  const compute = "computePh" in descr ? descr.computePh : undefined;
  const vm = compute?.kind === "vm" ? compute : undefined;
  const action = "action" in descr ? descr.action?.value : undefined;
  const storage = "storagePh" in descr ? descr.storagePh : undefined;
  const credit = "creditPh" in descr ? descr.creditPh : undefined;
  const bounce = "bounce" in descr ? descr.bounce : undefined;
  const split = "splitInfo" in descr ? descr.splitInfo : undefined;
  return {
    aborted: "aborted" in descr ? descr.aborted : undefined,
    destroyed: "destroyed" in descr ? descr.destroyed : undefined,
    credit_first: "creditFirst" in descr ? descr.creditFirst : undefined,
    is_tock: "isTock" in descr ? descr.isTock : undefined,
    installed: "installed" in descr ? descr.installed : undefined,
    storage_fees_collected: storage?.storageFeesCollected,
    storage_fees_due: storage?.storageFeesDue,
    credit: credit?.credit.coins,
    credit_due_fees_collected: credit?.dueFeesCollected,
    compute_skipped: compute && compute.kind === "skipped",
    skipped_reason: compute?.kind === "skipped" ? reasonCode(compute.reason) : undefined,
    compute_exit_code: vm?.exitCode,
    compute_gas_credit: vm?.gasCredit,
    compute_mode: vm?.mode,
    // Zero is not stored.
    compute_vm_final_state_hash: vm?.vmFinalStateHash.some((byte) => byte > 0)
      ? vm.vmFinalStateHash
      : undefined,
    action_result_code: action?.resultCode,
    action_result_arg: action?.resultArg,
    action_msgs_created: action?.msgsCreated,
    action_tot_msg_size_bits: action?.totMsgSize.bits,
    bounce_fwd_fees: bounce?.kind === "ok" ? bounce.fwdFees : undefined,
    bounce_req_fwd_fees: bounce?.kind === "noFunds" ? bounce.reqFwdFees : undefined,
    bounce_msg_size_cells: bounce && bounce.kind !== "negFunds" ? bounce.msgSize.cells : undefined,
    split_info_this_addr: split?.thisAddr,
    split_info_acc_split_depth: split?.accSplitDepth,
  };
}

test("every kind of description has its own columns and no others", () => {
  const kinds = new Set<string>();
  const bounces = new Set<unknown>();
  fc.assert(
    fc.property(transaction, (value) => {
      const descr = value.description.value;
      const row = rowOf(value);
      const expected = expectedColumns(descr);
      const columns = Object.keys(expected) as (keyof TransactionRow)[];
      expect(transactionKinds[row.descr]).toBe(words[descr.kind]);
      expect(Object.fromEntries(columns.map((column) => [column, row[column]]))).toEqual(expected);
      kinds.add(descr.kind);
      if (row.bounce !== undefined) bounces.add(bounceKinds[row.bounce]);
    }),
    { numRuns: 500, seed: 7 },
  );
  expect(kinds.size).toBe(transactionKinds.length);
  expect(bounces.size).toBe(bounceKinds.length);
});
