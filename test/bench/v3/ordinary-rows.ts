// Rows like most of the chain's.

import { advance, claimHead, planHead } from "../../../server/indexer/work/ranges.js";
import type { Sql } from "../../../server/store/database.js";
import type { LatestAccountStateRow } from "../../../server/store/tables/accounts.js";
import type { MessageRow } from "../../../server/store/tables/messages.js";
import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { bytesOf, hashOf, messageRow, transactionRow } from "../../helpers/store/rows.js";

const someAddress = new Address(0, hashOf("address"));
const someAccount = bytesOf(someAddress);

/** Common bodies: empty, a comment, a jetton notification. */
export const bodies = [
  beginCell(),
  beginCell().storeUint(0, 32).storeBytes(Buffer.from("Thanks for the fish")),
  beginCell()
    .storeUint(0x7362d09c, 32)
    .storeUint(5, 64)
    .storeCoins(10n ** 9n)
    .storeAddress(someAddress)
    .storeBit(false),
].map((builder) => builder.endCell());
const opcodes = [undefined, 0, 0x7362d09c];

/** An ordinary transaction, of the zeroth block. */
export const ordinaryTransaction: TransactionRow = transactionRow({
  account: someAccount,
  lt: 0n,
  descr: 0,
  aborted: false,
  destroyed: false,
  credit_first: false,
  storage_fees_collected: 12n,
  storage_status_change: 0,
  credit: 1_000_000_000n,
  compute_skipped: false,
  compute_success: true,
  compute_msg_state_used: false,
  compute_account_activated: false,
  compute_gas_fees: 1_197_600n,
  compute_gas_used: 2994n,
  compute_gas_limit: 1_000_000n,
  compute_mode: 0,
  compute_exit_code: 0,
  compute_vm_steps: 66,
  action_success: true,
  action_valid: true,
  action_no_funds: false,
  action_status_change: 0,
  action_total_fwd_fees: 400_000n,
  action_total_action_fees: 133_331n,
  action_result_code: 0,
  action_tot_actions: 1,
  action_spec_actions: 0,
  action_skipped_actions: 0,
  action_msgs_created: 1,
  action_action_list_hash: hashOf("actions"),
  action_tot_msg_size_cells: 1n,
  action_tot_msg_size_bits: 705n,
});

const emptyMessage = messageRow({ tx_hash: someAccount, tx_lt: 0n, msg_hash: someAccount, direction: 0 });

/** A message of a transaction. `number` chooses its body. */
export function ordinaryMessage(
  { hash, lt, mc_block_seqno, trace_id, now }: TransactionRow,
  number: number,
  special: Pick<MessageRow, "direction" | "msg_hash" | "created_lt" | "source" | "destination">,
): MessageRow {
  const kind = number % bodies.length;
  return {
    ...emptyMessage,
    tx_hash: hash,
    tx_lt: lt,
    mc_seqno: mc_block_seqno,
    is_first: special.direction === 1 || bytesEqual(hash, trace_id),
    value: 1_000_000_000n,
    fwd_fee: 266_669n,
    created_at: now,
    opcode: opcodes[kind],
    ihr_disabled: true,
    bounce: true,
    bounced: false,
    body_hash: bodies[kind]!.hash(),
    ...special,
  };
}

export function accountRow(account: Uint8Array): LatestAccountStateRow {
  return {
    account,
    hash: hashOf("state"),
    balance: 5n,
    account_status: 3,
    timestamp: 1_600_000_000,
    code_hash: hashOf("code"),
  };
}

/** Notes that the index has all masterchain blocks up to one. */
export async function noteRange(store: Sql, last: number): Promise<void> {
  await planHead(store, 0);
  const claim = await claimHead(store, "bench");
  await store.transaction((transaction) => advance(transaction, claim, last));
}
