import { codeOf, directions } from "../codes.js";
import {
  address,
  bigint,
  boolean,
  bytea,
  currencies,
  hash,
  integer,
  nullable,
  numeric,
  opcode,
  shownAs,
  wideInteger,
  word,
} from "../declare/columns.js";
import { type RowOf, table } from "../declare/table.js";
import { decimal } from "../declare/wire-forms.js";

const inbound = codeOf(directions, "in");

export type MessageRow = RowOf<typeof messages.columns>;

/** One row per side of a message: `out` of the sender's transaction, `in` of the receiver's. */
export const messages = table("messages", {
  columns: {
    tx_hash: hash,
    tx_lt: bigint,
    mc_seqno: integer,
    msg_hash: hash,
    msg_hash_norm: nullable(hash),
    direction: word(directions),
    is_first: boolean,
    source: nullable(address),
    destination: nullable(address),
    value: nullable(bigint),
    value_extra_currencies: nullable(currencies),
    fwd_fee: nullable(bigint),
    ihr_fee: nullable(bigint),
    extra_flags: nullable(numeric),
    created_lt: nullable(bigint),
    created_at: nullable(shownAs(wideInteger, decimal)),
    opcode: nullable(opcode),
    ihr_disabled: nullable(boolean),
    bounce: nullable(boolean),
    bounced: nullable(boolean),
    import_fee: nullable(numeric),
    body_hash: hash,
    init_state_hash: nullable(hash),
  },
  key: ["tx_hash", "tx_lt", "msg_hash", "direction"],
  uniqueBy: false,
  revertBy: { block: "mc_seqno" },
  partitionBy: "tx_lt",
  // By the account of its transaction.
  clusterBy: [
    `case when direction = ${inbound} then destination else source end`,
    "tx_lt",
    "direction",
    "created_lt",
  ],
  divideBy: { column: "account" },
  widenBy: { column: "account", type: address, of: accountOf },
});

/** The sides of a message, and the one whose row it is. */
type Sides = {
  direction: number;
  source?: Uint8Array | undefined;
  destination?: Uint8Array | undefined;
};

/** The account of the transaction that a row belongs to. */
export function accountOf({ direction, source, destination }: Sides): Uint8Array {
  const account = direction === inbound ? destination : source;
  if (!account) throw new TypeError("a message has no account on the side of its transaction");
  return account;
}

/** A body or a state init as a bag of cells. */
export const contentColumns = { hash, body: bytea };
export type MessageContentRow = RowOf<typeof contentColumns>;

export type StoredContentRow = RowOf<typeof messageContents.columns>;

/** Bodies and state inits of messages, each once in every slot that has a message with it; `from_lt` begins the slot. */
export const messageContents = table("message_contents", {
  columns: { ...contentColumns, from_lt: bigint },
  key: ["hash", "from_lt"],
  uniqueBy: ["hash_prefix(hash)", "hash_rest(hash)", "hash_end(hash)", "from_lt"],
  merge: "keep",
  partitionBy: "from_lt",
  divideBy: { column: "account" },
  widenBy: { column: "account", type: address },
});
