import type { PendingTrace } from "../../server/present/v3/pending-traces.js";
import { rawAddressToBytes } from "../../server/store/address-bytes.js";
import { accountStatuses, codeOf, directions, transactionKinds } from "../../server/store/codes.js";
import type { MessageRow } from "../../server/store/tables/messages.js";
import type { TransactionRow } from "../../server/store/tables/transactions.js";
import { hashOf, nameOfHash } from "./memory-index.js";

/** A transaction of a pending trace. */
export type MadePending = {
  account: string;
  hash: number;
  received: number;
  lt?: bigint;
  sent?: number[];
  isDone?: boolean;
  opcode?: number;
  value?: bigint;
  aborted?: boolean;
  /** Whether its state is known. */
  hasState?: boolean;
};

const states = {
  orig_status: codeOf(accountStatuses, "active"),
  end_status: codeOf(accountStatuses, "active"),
};

function transactionRow(
  { account, hash, lt = BigInt(hash), aborted = false }: MadePending,
  trace: number,
): TransactionRow {
  return {
    account: rawAddressToBytes(account),
    hash: hashOf(hash),
    lt,
    ...{ block_workchain: 0, block_shard: 0n, block_seqno: 0, mc_block_seqno: 0 },
    trace_id: hashOf(trace),
    ...{ prev_trans_hash: hashOf(0), prev_trans_lt: 0n, now: 5, ...states, total_fees: 1n },
    account_state_hash_before: hashOf(0),
    account_state_hash_after: hashOf(100 + hash),
    descr: codeOf(transactionKinds, "ord"),
    aborted,
  } as TransactionRow;
}

function messageRow(made: MadePending, msg: number, direction: (typeof directions)[number]): MessageRow {
  const account = rawAddressToBytes(made.account);
  return {
    ...{ tx_hash: hashOf(made.hash), tx_lt: made.lt ?? BigInt(made.hash), mc_seqno: 0, is_first: true },
    msg_hash: hashOf(msg),
    direction: codeOf(directions, direction),
    ...(direction === "in" ? { destination: account } : { source: account }),
    value: made.value ?? 1n,
    opcode: made.opcode ?? 7,
    created_lt: BigInt(msg),
    body_hash: hashOf(0),
  } as MessageRow;
}

/** The trace of the message `number`, whose normalized hash is that of `100 + number`. */
export function traceOf(number: number, made: MadePending[], unfollowed = 0): PendingTrace {
  return {
    hash: hashOf(number),
    hashNorm: hashOf(100 + number),
    rows: {
      transactions: made.map((each) => transactionRow(each, made[0]!.hash)),
      messages: made.flatMap((each) => [
        messageRow(each, each.received, "in"),
        ...(each.sent ?? []).map((sent) => messageRow(each, sent, "out")),
      ]),
      messageContents: [],
      accountStates: made
        .filter(({ hasState = true }) => hasState)
        .map(({ hash }) => ({
          ...{ account_key: 0n, lt: 0n, hash: hashOf(100 + hash), balance: BigInt(hash) },
          ...{ balance_extra_currencies: undefined, account_status: states.end_status },
          ...{ frozen_hash: undefined, data_hash: undefined, code_hash: undefined },
        })),
    },
    happened: new Set(made.filter(({ isDone }) => isDone).map(({ hash }) => nameOfHash(hash))),
    unfollowed,
  };
}
