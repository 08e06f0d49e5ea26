import { tokenRequests } from "../../../shared/ton/bodies/token-requests.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { codeOf, transactionKinds } from "../../store/codes.js";
import type { TransactionRow } from "../../store/tables/transactions.js";
import type { DecodedTransaction } from "../decode/decode-block.js";

/** A transaction that received a message with a token request's opcode; its account may be a token contract. */
export type ReceivedRequest = {
  transaction: Pick<
    TransactionRow,
    "account" | "hash" | "lt" | "now" | "aborted" | "mc_block_seqno" | "trace_id"
  >;
  sender: Uint8Array;
  body: Cell;
};

/** Opcodes of token requests, in the messages' signed form. */
export const requestOpcodes: readonly number[] = Object.keys(tokenRequests).map(
  (opcode) => Number(opcode) | 0,
);

const ordinary = codeOf(transactionKinds, "ord");

/** The token request received by a transaction, if any. External messages have no sender. */
export function receivedRequest({ row, inMessage, inBody }: DecodedTransaction): ReceivedRequest | undefined {
  if (row.descr !== ordinary || !inMessage?.source || !inBody) return undefined;
  if (inMessage.opcode === undefined || !requestOpcodes.includes(inMessage.opcode)) return undefined;
  return { transaction: row, sender: inMessage.source, body: inBody };
}
