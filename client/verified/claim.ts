import type { Message, Trace, Transaction } from "../api.js";

/** A record of API v3, as `client.v3.transactions`, `messages` and `traces` answer it. */
export type Claim =
  | { readonly transaction: Transaction }
  | { readonly message: Message }
  | { readonly trace: Trace };

/** The result of a check: all members of the claim are proven or follow from what is proven, except those in `unproven`. */
export type Checked = {
  /** Number of proven transactions. */
  readonly transactions: number;
  /**
   * Members without proof, such as `transaction.in_msg.decoded_opcode`, also where they are absent; `[]` stands for each item of
   * a list. `trace.transactions.HASH.out_msgs[0].in_msg_tx_hash` names a message that no transaction of the trace has received:
   * it is pending, or the rest of the trace is withheld.
   */
  readonly unproven: readonly string[];
  /**
   * True if no transaction sent the message that was proven, or that caused the transaction or trace. Only the developer of a
   * devnet can receive such a message in the name of another account. Absent if a transaction sent it, or it came from outside.
   */
  readonly impersonated?: true;
};
