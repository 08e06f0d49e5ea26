import { z } from "zod";
import {
  extraCurrencies,
  hashBase64,
  opcodeHex,
  quantity,
  rawAddressUpper,
  signed32,
  unixTime,
  unsigned32,
} from "../../forms/values.js";
import { abiBody, abiSource } from "./abi.js";
import { nextCursor } from "./list-cursor.js";
import {
  accountStatus,
  addressBook,
  blockRef,
  cellContent,
  decimal,
  nullableAddress,
  nullableHash,
  orNull,
  withCodes,
} from "./records.js";

const external = "`null` for external messages";

export const message = z
  .object({
    hash: hashBase64.describe("Hash of the message's cell."),
    source: nullableAddress.describe("Sender; `null` for an external message to a contract."),
    destination: nullableAddress.describe("Receiver; `null` for an external message from a contract."),
    value: decimal.nullable().describe(`Value in nanotons; ${external}.`),
    value_extra_currencies: orNull(extraCurrencies),
    fwd_fee: decimal.nullable().describe(`Forwarding fee paid, in nanotons; ${external}.`),
    ihr_fee: decimal.nullable().describe(`Instant hypercube routing fee, in nanotons; ${external}.`),
    extra_flags: decimal
      .nullable()
      .describe("Extra flags; `null` for messages from before they were introduced."),
    created_lt: decimal
      .nullable()
      .describe("Logical time of creation; `null` for external messages to a contract."),
    created_at: decimal
      .nullable()
      .describe("Unix time of creation; `null` for external messages to a contract."),
    opcode: orNull(opcodeHex),
    decoded_opcode: z.string().nullable().describe("Name of the body's scheme; `null` if unknown."),
    ihr_disabled: z
      .boolean()
      .nullable()
      .describe(`Whether instant hypercube routing is disabled; ${external}.`),
    bounce: z.boolean().nullable().describe(`Whether the message bounces if it fails; ${external}.`),
    bounced: z.boolean().nullable().describe(`Whether the message is a bounced one; ${external}.`),
    import_fee: decimal.nullable().describe("Import fee; only for external messages to a contract."),
    in_msg_tx_hash: hashBase64
      .optional()
      .describe("Hash of the transaction that received it; only in lists of messages."),
    out_msg_tx_hash: hashBase64
      .optional()
      .describe("Hash of the transaction that sent it; only in lists of messages."),
    message_content: cellContent.nullable().describe("The body."),
    init_state: cellContent.nullable().describe("StateInit of the message."),
    hash_norm: hashBase64.optional().describe("Normalized hash; only for external messages to a contract."),
    abi: abiBody
      .nullable()
      .optional()
      .describe("The body by the ABI of the receiver, else of the sender; null if it fits none; on request."),
  })
  .meta({ id: "Message", description: "A message." });

export const transactionAccountState = z
  .object({
    hash: hashBase64.describe("Hash of the state."),
    balance: decimal
      .nullable()
      .describe("Balance in nanotons; `null`, like the members below, if the state is not known."),
    extra_currencies: orNull(extraCurrencies),
    account_status: orNull(accountStatus),
    frozen_hash: nullableHash.describe("Hash of the state before it was frozen."),
    data_hash: nullableHash.describe("Hash of the data."),
    code_hash: nullableHash.describe("Hash of the code."),
  })
  .meta({ id: "TransactionAccountState", description: "State of an account." });

const statusChange = z.enum(["unchanged", "frozen", "deleted"]).describe("Change of the account's status.");

export const messageSize = z
  .object({ cells: decimal.describe("Cells."), bits: decimal.describe("Bits.") })
  .meta({ id: "MessageSize", description: "Size in cells and bits." });

export const storagePhase = z
  .object({
    storage_fees_collected: decimal.optional().describe("Storage fee paid, in nanotons."),
    storage_fees_due: decimal.optional().describe("Storage fee still due, in nanotons."),
    status_change: statusChange,
  })
  .meta({ id: "StoragePhase", description: "Storage phase." });

export const creditPhase = z
  .object({
    due_fees_collected: decimal.optional().describe("Storage debt paid, in nanotons."),
    credit: decimal.optional().describe("Nanotons received."),
    credit_extra_currencies: extraCurrencies.optional(),
  })
  .meta({ id: "CreditPhase", description: "Credit phase." });

export const computePhase = z
  .union([
    z
      .object({
        skipped: z.literal(true).describe("The contract did not run."),
        reason: z
          .enum(["no_state", "bad_state", "no_gas", "suspended"])
          .describe("Why the phase was skipped."),
      })
      .describe("A compute phase that was skipped."),
    z
      .object({
        skipped: z.literal(false).describe("The contract ran."),
        success: z.boolean().describe("Whether the run succeeded."),
        msg_state_used: z.boolean().describe("Whether the StateInit of the message was used."),
        account_activated: z.boolean().describe("Whether the account was deployed."),
        gas_fees: decimal.describe("Gas fee in nanotons."),
        gas_used: decimal.describe("Gas used."),
        gas_limit: decimal.describe("Gas limit."),
        gas_credit: decimal.optional().describe("Gas available before the message is accepted."),
        mode: signed32.describe("Execution mode."),
        exit_code: signed32.describe("Exit code; 0 and 1 are success."),
        exit_arg: signed32.optional().describe("Argument of the exception."),
        vm_steps: unsigned32.describe("Instructions executed."),
        vm_init_state_hash: hashBase64.describe("Hash of the virtual machine's initial state."),
        vm_final_state_hash: hashBase64.describe("Hash of the virtual machine's final state."),
        exit_name: z
          .string()
          .optional()
          .describe("Name of the exit code in the contract's ABI; on request, if it has one."),
        exit_meaning: z.string().optional().describe("Meaning of the exit code in the ABI, a sentence."),
        exit_source: abiSource.optional().describe("The ABI that names the code."),
      })
      .describe("A run of the contract."),
  ])
  .meta({ id: "ComputePhase", description: "Compute phase." });

export const actionPhase = z
  .object({
    success: z.boolean().describe("Whether the phase succeeded."),
    valid: z.boolean().describe("Whether the list of actions is valid."),
    no_funds: z.boolean().describe("Whether the balance was insufficient."),
    status_change: statusChange,
    total_fwd_fees: decimal.optional().describe("Forwarding fees, in nanotons."),
    total_action_fees: decimal.optional().describe("Fees of the actions, in nanotons."),
    result_code: signed32.describe("Result code; 0 is success."),
    result_arg: signed32.optional().describe("Index of the failed action."),
    tot_actions: quantity.describe("Number of actions."),
    spec_actions: quantity.describe("Number of actions other than sending a message."),
    skipped_actions: quantity.describe("Number of skipped actions."),
    msgs_created: quantity.describe("Number of messages sent."),
    action_list_hash: hashBase64.describe("Hash of the list of actions."),
    tot_msg_size: messageSize.describe("Size of the messages sent."),
  })
  .meta({ id: "ActionPhase", description: "Action phase." });

export const bouncePhase = z
  .object({
    type: z
      .enum(["negfunds", "nofunds", "ok"])
      .describe("Whether the remaining value was sufficient to bounce the message."),
    msg_size: messageSize.optional().describe("Size of the bounced message."),
    req_fwd_fees: decimal.optional().describe("Forwarding fee that was required, in nanotons."),
    msg_fees: decimal
      .optional()
      .describe("Part of the forwarding fee collected in this transaction, in nanotons."),
    fwd_fees: decimal.optional().describe("Remaining forwarding fee of the bounced message, in nanotons."),
  })
  .meta({ id: "BouncePhase", description: "Bounce phase." });

export const splitInfo = z
  .object({
    cur_shard_pfx_len: quantity.describe("Length of the shard's prefix."),
    acc_split_depth: quantity.describe("Split depth of the account."),
    this_addr: hashBase64.describe("Account id of this half."),
    sibling_addr: hashBase64.describe("Account id of the other half."),
  })
  .meta({ id: "SplitInfo", description: "Split of the account." });

export const transactionDescription = z
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
      .describe("Type of the transaction."),
    aborted: z.boolean().optional().describe("Whether the transaction was aborted."),
    destroyed: z.boolean().optional().describe("Whether the account was deleted."),
    credit_first: z.boolean().optional().describe("Whether the value was credited before the storage phase."),
    is_tock: z.boolean().optional().describe("Whether it is a tock transaction, at the end of the block."),
    installed: z.boolean().optional().describe("Whether the split took effect."),
    storage_ph: storagePhase.optional(),
    credit_ph: creditPhase.optional(),
    compute_ph: computePhase.optional(),
    action: actionPhase.optional(),
    bounce: bouncePhase.optional(),
    split_info: splitInfo.optional(),
  })
  .meta({ id: "TransactionDescription", description: "Phases of the transaction." });

export const transaction = z
  .object({
    account: rawAddressUpper.describe("The account."),
    hash: hashBase64.describe("Hash of the transaction."),
    lt: decimal.describe("Logical time."),
    now: unixTime.describe("Unix time."),
    mc_block_seqno: unsigned32.describe(
      "Seqno of the masterchain block that finalized it; 0 while it is pending.",
    ),
    trace_id: hashBase64.optional().describe("Id of its trace: the hash of the first transaction."),
    trace_external_hash: hashBase64
      .optional()
      .describe("Hash of the external message that started the trace; only for pending transactions."),
    prev_trans_hash: hashBase64.describe("Hash of the account's previous transaction; zeros for the first."),
    prev_trans_lt: decimal.describe("Logical time of the previous transaction."),
    orig_status: accountStatus.describe("Status of the account before."),
    end_status: accountStatus.describe("Status of the account after."),
    total_fees: decimal.describe("Fees collected, in nanotons."),
    total_fees_extra_currencies: extraCurrencies,
    description: transactionDescription,
    block_ref: blockRef.describe("The block that contains it."),
    in_msg: message.nullable().describe("The inbound message; `null` for tick-tock transactions."),
    out_msgs: z.array(message).describe("Outbound messages, in order."),
    account_state_before: transactionAccountState.describe("State of the account before the transaction."),
    account_state_after: transactionAccountState.describe("State of the account after the transaction."),
    emulated: z.boolean().describe("Whether the transaction is emulated."),
    finality: z.enum(["pending", "confirmed", "finalized"]).describe("Finality of the transaction."),
  })
  .meta({ id: "Transaction", description: "A transaction." });

/** Result of most methods that list transactions. */
export const transactionList = z
  .object({
    transactions: z.array(transaction).describe("The transactions."),
    address_book: addressBook,
    ...withCodes,
    ...nextCursor,
  })
  .meta({ id: "TransactionList" });
