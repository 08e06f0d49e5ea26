import type { z } from "zod";
import type { message } from "../../../shared/schema/v3/transactions.js";
import { type MaybeJson, maybeQuoted, objectJson, sqlOf } from "../declare/json-text.js";
import {
  columnsOf,
  constant,
  ifPresent,
  type MaybePart,
  object,
  orEmpty,
  orNull,
  orZero,
  type Part,
} from "../declare/record.js";
import { shortBase64 } from "../declare/wire-forms.js";
import { contentColumns, type MessageContentRow, type MessageRow, messages } from "./messages.js";

export type MessageRecord = z.output<typeof message>;

/** A message with its body and state init, and what contracts/ reads in the body, which this folder cannot. */
type MessageRows = {
  m: MessageRow;
  b: MessageContentRow | undefined;
  i: MessageContentRow | undefined;
  read: { opcodeName: string | null; content: Record<string, unknown> | null };
};

/**
 * Cuts the text of a message where the members read from its body belong, and around what they depend on:
 * text, opcode, `t` for a message without a sender, text, body, text that is empty where there is no body, text.
 */
export const cut = "\u0001";

const m = columnsOf("m", messages.columns);
const b = columnsOf("b", contentColumns);
const i = columnsOf("i", contentColumns);

const decodedOpcode: Part<Pick<MessageRows, "read">, string | null> = {
  json: [
    { literal: cut },
    { sql: "wire_opcode(m.opcode)" },
    { literal: cut },
    { sql: "m.source is null" },
    { literal: cut },
  ],
  present: ({ read }) => read.opcodeName,
};

const cutBody = `concat('{"hash":"', wire_hash(b.hash), '","body":"${cut}', wire_boc(b.body), '${cut}","decoded":${cut}}')`;
const content: Part<Pick<MessageRows, "b" | "read">, MessageRecord["message_content"]> = {
  json: [{ sql: `case when b.hash is null then 'null${cut}${cut}${cut}' else\n  ${cutBody} end` }],
  present: (rows) =>
    rows.b === undefined
      ? null
      : { hash: b.hash.present(rows)!, body: b.body.present(rows)!, decoded: rows.read.content },
};

const initState = object({
  hash: i.hash,
  body: i.body,
  decoded: constant(null),
});

/** Normalized hash of an inbound external, stored only if it differs from the message's own. */
const hashNorm: MaybePart<Pick<MessageRows, "m">, string> = {
  maybe: maybeQuoted(
    shortBase64.sql("case when m.created_lt is null then coalesce(m.msg_hash_norm, m.msg_hash) end"),
  ),
  present: ({ m: row }) =>
    row.created_lt === undefined ? shortBase64.present(row.msg_hash_norm ?? row.msg_hash) : undefined,
};

const members = {
  hash: m.msg_hash,
  source: orNull(m.source),
  destination: orNull(m.destination),
  value: orNull(m.value),
  value_extra_currencies: orNull(ifPresent(m.value, orEmpty(m.value_extra_currencies))),
  fwd_fee: orNull(m.fwd_fee),
  ihr_fee: orNull(ifPresent(m.value, orZero(m.ihr_fee))),
  extra_flags: orNull(m.extra_flags),
  created_lt: orNull(m.created_lt),
  created_at: orNull(m.created_at),
  opcode: orNull(m.opcode),
  decoded_opcode: decodedOpcode,
  ihr_disabled: orNull(m.ihr_disabled),
  bounce: orNull(m.bounce),
  bounced: orNull(m.bounced),
  import_fee: orNull(m.import_fee),
  message_content: content,
  init_state: orNull(ifPresent(i.hash, initState)),
};

/** A message as answered, of rows. */
export const messageRecord: Part<MessageRows, MessageRecord> = object(members, { hash_norm: hashNorm });

/** The same as SQL text with cuts: row `m` of `messages`, contents `b` and `i`. Lists of messages have `more` members. */
export function messageText(more: Readonly<Record<string, MaybeJson>> = {}): string {
  const required = Object.entries(members).map(([name, { json }]) => [name, json]);
  return sqlOf(objectJson(Object.fromEntries(required), { ...more, hash_norm: hashNorm.maybe }));
}
