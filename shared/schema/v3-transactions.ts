import { z } from "zod";
import { hashBase64, rawAddressUpper, unixTime } from "./results.js";
import {
  accountStatus,
  addressBook,
  blockRef,
  cellContent,
  decimal,
  extraCurrencies,
  nullableAddress,
  nullableHash,
  opcodeHex,
  orNull,
} from "./v3-records.js";

const external = "`null` for external messages";

export const message = z
  .object({
    hash: hashBase64.describe("Hash of the message's cell."),
    source: nullableAddress.describe("Sender; `null` for an external message to a contract."),
    destination: nullableAddress.describe("Receiver; `null` for an external message from a contract."),
    value: decimal.nullable().describe(`Nanotons sent along; ${external}.`),
    value_extra_currencies: orNull(extraCurrencies),
    fwd_fee: decimal.nullable().describe(`Forwarding fee paid, in nanotons; ${external}.`),
    ihr_fee: decimal.nullable().describe(`Fee for instant routing, in nanotons; ${external}.`),
    extra_flags: decimal.nullable().describe("Flags of newer messages; `null` before there were any."),
    created_lt: decimal
      .nullable()
      .describe("Logical time of creation; `null` for external messages to a contract."),
    created_at: decimal
      .nullable()
      .describe("Unix time of creation; `null` for external messages to a contract."),
    opcode: orNull(opcodeHex),
    decoded_opcode: z.string().nullable().describe("Name of the body's scheme; `null` for unknown ones."),
    ihr_disabled: z.boolean().nullable().describe(`Whether instant routing is off; ${external}.`),
    bounce: z.boolean().nullable().describe(`Whether it comes back when it fails; ${external}.`),
    bounced: z.boolean().nullable().describe(`Whether it came back; ${external}.`),
    import_fee: decimal.nullable().describe("Of external messages to a contract alone."),
    in_msg_tx_hash: hashBase64
      .optional()
      .describe("The transaction that received it; in lists of messages alone."),
    out_msg_tx_hash: hashBase64
      .optional()
      .describe("The transaction that sent it; in lists of messages alone."),
    message_content: cellContent.nullable().describe("The body."),
    init_state: cellContent.nullable().describe("Code and data the message deploys."),
    hash_norm: hashBase64
      .optional()
      .describe("Hash of the message without what relays may change; external messages to a contract alone."),
  })
  .describe("A message.");

const accountState = z
  .object({
    hash: hashBase64.describe("Hash of the state."),
    balance: decimal
      .nullable()
      .describe("Balance in nanotons; `null`, as all below, for a state that is not known."),
    extra_currencies: orNull(extraCurrencies),
    account_status: orNull(accountStatus),
    frozen_hash: nullableHash.describe("Hash of the state before it was frozen."),
    data_hash: nullableHash.describe("Hash of the data."),
    code_hash: nullableHash.describe("Hash of the code."),
  })
  .describe("State of an account.");

const statusChange = z
  .enum(["unchanged", "frozen", "deleted"])
  .describe("What happened to the account's status.");

const size = z
  .object({ cells: decimal.describe("Cells."), bits: decimal.describe("Bits.") })
  .describe("Size in cells and bits.");

const storagePhase = z
  .object({
    storage_fees_collected: decimal.optional().describe("Rent paid, in nanotons."),
    storage_fees_due: decimal.optional().describe("Rent still owed."),
    status_change: statusChange,
  })
  .describe("Storage phase.");

const creditPhase = z
  .object({
    due_fees_collected: decimal.optional().describe("Rent owed from before and paid now."),
    credit: decimal.optional().describe("Nanotons received."),
    credit_extra_currencies: extraCurrencies.optional(),
  })
  .describe("Credit phase.");

const computePhase = z
  .union([
    z
      .object({
        skipped: z.literal(true).describe("The contract did not run."),
        reason: z.enum(["no_state", "bad_state", "no_gas", "suspended"]).describe("Why not."),
      })
      .describe("A compute phase that was skipped."),
    z
      .object({
        skipped: z.literal(false).describe("The contract ran."),
        success: z.boolean().describe("Whether it ended well."),
        msg_state_used: z.boolean().describe("Whether code and data came with the message."),
        account_activated: z.boolean().describe("Whether that deployed the account."),
        gas_fees: decimal.describe("Price of the gas, in nanotons."),
        gas_used: decimal.describe("Gas used."),
        gas_limit: decimal.describe("Gas that could be used."),
        gas_credit: decimal.optional().describe("Gas granted before the message was accepted."),
        mode: z.int().describe("Mode of the run."),
        exit_code: z.int().describe("Exit code; 0 and 1 are success."),
        exit_arg: z.int().optional().describe("Argument of the exception."),
        vm_steps: z.int().describe("Instructions executed."),
        vm_init_state_hash: hashBase64.describe("Hash of the machine's first state."),
        vm_final_state_hash: hashBase64.describe("Hash of its last state."),
      })
      .describe("A run of the contract."),
  ])
  .describe("Compute phase.");

const actionPhase = z
  .object({
    success: z.boolean().describe("Whether all actions were done."),
    valid: z.boolean().describe("Whether the list of actions could be read."),
    no_funds: z.boolean().describe("Whether money was lacking."),
    status_change: statusChange,
    total_fwd_fees: decimal.optional().describe("Forwarding fees, in nanotons."),
    total_action_fees: decimal.optional().describe("Fees of the actions, in nanotons."),
    result_code: z.int().describe("Result; 0 is success."),
    result_arg: z.int().optional().describe("Number of the action that failed."),
    tot_actions: z.int().describe("How many actions there were."),
    spec_actions: z.int().describe("How many of them sent no message."),
    skipped_actions: z.int().describe("How many were skipped."),
    msgs_created: z.int().describe("How many messages were sent."),
    action_list_hash: hashBase64.describe("Hash of the list of actions."),
    tot_msg_size: size.describe("Size of the messages sent."),
  })
  .describe("Action phase.");

const bouncePhase = z
  .object({
    type: z
      .enum(["negfunds", "nofunds", "ok"])
      .describe("Whether the money sufficed to send the message back."),
    msg_size: size.optional().describe("Size of the message sent back."),
    req_fwd_fees: decimal.optional().describe("What it would have cost."),
    msg_fees: decimal.optional().describe("What it cost."),
    fwd_fees: decimal.optional().describe("What is paid to those who forward it."),
  })
  .describe("Bounce phase.");

const splitInfo = z
  .object({
    cur_shard_pfx_len: z.int().describe("Length of the shard's prefix."),
    acc_split_depth: z.int().describe("Depth the account can be split to."),
    this_addr: hashBase64.describe("Account of this half."),
    sibling_addr: hashBase64.describe("Account of the other half."),
  })
  .describe("How an account was split.");

const description = z
  .object({
    type: z
      .enum([
        "ord",
        "storage",
        "tick_tock",
        "split_prepare",
        "split_install",
        "merge_prepare",
        "merge_install",
      ])
      .describe("Kind of transaction."),
    aborted: z.boolean().optional().describe("Whether it did not do what was asked."),
    destroyed: z.boolean().optional().describe("Whether the account was deleted."),
    credit_first: z.boolean().optional().describe("Whether the money came before the rent was paid."),
    is_tock: z.boolean().optional().describe("Whether it ran at the end of the block."),
    installed: z.boolean().optional().describe("Whether the split took effect."),
    storage_ph: storagePhase.optional(),
    credit_ph: creditPhase.optional(),
    compute_ph: computePhase.optional(),
    action: actionPhase.optional(),
    bounce: bouncePhase.optional(),
    split_info: splitInfo.optional(),
  })
  .describe("What the transaction did, phase by phase.");

export const transaction = z
  .object({
    account: rawAddressUpper.describe("The account."),
    hash: hashBase64.describe("Hash of the transaction."),
    lt: decimal.describe("Logical time."),
    now: unixTime.describe("Unix time."),
    mc_block_seqno: z.int().describe("Masterchain block it came with; 0 while it is pending."),
    trace_id: hashBase64.optional().describe("Hash of the first transaction of its trace."),
    trace_external_hash: hashBase64
      .optional()
      .describe("Hash of the external message that began the trace; of pending transactions alone."),
    prev_trans_hash: hashBase64.describe("The account's transaction before; zeros for the first."),
    prev_trans_lt: decimal.describe("Logical time of the one before."),
    orig_status: accountStatus.describe("The account's status before."),
    end_status: accountStatus.describe("The account's status afterwards."),
    total_fees: decimal.describe("Fees collected, in nanotons."),
    total_fees_extra_currencies: extraCurrencies,
    description,
    block_ref: blockRef.describe("The block it is in."),
    in_msg: message.nullable().describe("The message that caused it; `null` for tick-tock transactions."),
    out_msgs: z.array(message).describe("Messages sent, in their order."),
    account_state_before: accountState.describe("State of the account before."),
    account_state_after: accountState.describe("State of the account afterwards."),
    emulated: z.boolean().describe("Whether it is only expected."),
    finality: z.enum(["pending", "confirmed", "finalized"]).describe("How sure it is."),
  })
  .describe("A transaction.");

/** The answer of most methods about transactions. */
export const transactionList = z.object({
  transactions: z.array(transaction).describe("The transactions."),
  address_book: addressBook,
});
