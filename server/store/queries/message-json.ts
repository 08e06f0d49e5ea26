import { raw } from "sql-template-tag";
import type { Fragment } from "../where.js";
import {
  bare,
  object,
  orNull,
  type Perhaps,
  perhapsBare,
  perhapsText,
  sqlOf,
  text,
  when,
} from "./json-text.js";

/**
 * Cuts the text of a message where what its body says belongs, and around what that depends on:
 * text, opcode, `t` for a message without a sender, text, body, text that is empty where there is no body, text.
 */
export const cut = "\u0001";

const perhaps = (expression: string) => orNull(perhapsText(expression));

const content = `case when b.hash is null then 'null${cut}${cut}${cut}' else
  concat('{"hash":"', wire_hash(b.hash), '","body":"${cut}', wire_boc(b.body), '${cut}","decoded":${cut}}') end`;
const initState = object({
  hash: text("wire_hash(i.hash)"),
  body: text("wire_boc(i.body)"),
  decoded: bare("'null'"),
});

/**
 * A message as answered, with cuts. Row `m` of `messages` with its contents `b` and `i`. `more` are members that only
 * lists of messages have.
 */
export function messageText(more: Readonly<Record<string, Perhaps>> = {}): string {
  const members = {
    hash: text("wire_hash(m.msg_hash)"),
    source: perhaps("wire_address(m.source)"),
    destination: perhaps("wire_address(m.destination)"),
    value: perhaps("m.value"),
    value_extra_currencies: orNull(
      when("m.value is not null", bare("coalesce(m.value_extra_currencies::text, '{}')")),
    ),
    fwd_fee: perhaps("m.fwd_fee"),
    ihr_fee: perhaps("m.ihr_fee"),
    extra_flags: perhaps("m.extra_flags"),
    created_lt: perhaps("m.created_lt"),
    created_at: perhaps("m.created_at"),
    opcode: perhaps("wire_opcode(m.opcode)"),
    decoded_opcode: [
      { text: cut },
      { sql: "wire_opcode(m.opcode)" },
      { text: cut },
      { sql: "m.source is null" },
      { text: cut },
    ],
    ihr_disabled: orNull(perhapsBare("m.ihr_disabled")),
    bounce: orNull(perhapsBare("m.bounce")),
    bounced: orNull(perhapsBare("m.bounced")),
    import_fee: perhaps("m.import_fee"),
    message_content: bare(content),
    init_state: orNull(when("i.hash is not null", initState)),
  };
  const normalized = "case when m.created_lt is null then coalesce(m.msg_hash_norm, m.msg_hash) end";
  return sqlOf(object(members, { ...more, hash_norm: perhapsText(`wire_hash(${normalized})`) }));
}

/** message_contents by its primary key. */
export const withContents: Fragment = raw(`
  left join message_contents b on b.hash = m.body_hash
  left join message_contents i on i.hash = m.init_state_hash`);
