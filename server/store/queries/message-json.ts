import { raw } from "sql-template-tag";
import type { Fragment } from "../where.js";
import { bare, knownMembers, members, object, quoted } from "./json-text.js";

/**
 * Cuts the text of a message where what its body says belongs, and around what that depends on:
 * text, opcode, `t` for a message without a sender, text, body, text that is empty where there is no body, text.
 */
export const cut = "\u0001";

const beforeName = members({
  hash: quoted("wire_hash(m.msg_hash)"),
  source: quoted("wire_address(m.source)"),
  destination: quoted("wire_address(m.destination)"),
  value: quoted("m.value"),
  value_extra_currencies:
    "case when m.value is not null then coalesce(m.value_extra_currencies::text, '{}') end",
  fwd_fee: quoted("m.fwd_fee"),
  ihr_fee: quoted("m.ihr_fee"),
  extra_flags: quoted("m.extra_flags"),
  created_lt: quoted("m.created_lt"),
  created_at: quoted("m.created_at"),
  opcode: quoted("wire_opcode(m.opcode)"),
});
const behindName = members({
  ihr_disabled: bare("m.ihr_disabled"),
  bounce: bare("m.bounce"),
  bounced: bare("m.bounced"),
  import_fee: quoted("m.import_fee"),
});
const content = `case when b.hash is null then 'null${cut}${cut}${cut}' else
  concat('{"hash":"', wire_hash(b.hash), '","body":"${cut}', wire_boc(b.body), '${cut}","decoded":${cut}}') end`;
const initState = `case when i.hash is not null then ${object({
  hash: quoted("wire_hash(i.hash)"),
  body: quoted("wire_boc(i.body)"),
  decoded: "null",
})} end`;
const ofExternals = {
  hash_norm: quoted(
    "wire_hash(case when m.created_lt is null then coalesce(m.msg_hash_norm, m.msg_hash) end)",
  ),
};

/**
 * A message as answered, with cuts. Row `m` of `messages` with its contents `b` and `i`. `more` are members that only
 * lists of messages have.
 */
export function messageText(more: Readonly<Record<string, string>> = {}): string {
  return `concat('{', ${beforeName},
    ',"decoded_opcode":${cut}', wire_opcode(m.opcode), '${cut}', m.source is null, '${cut},', ${behindName},
    ',"message_content":', ${content}, ',"init_state":', coalesce(${initState}, 'null'),
    ${knownMembers({ ...more, ...ofExternals })}, '}')`;
}

/** message_contents by its primary key. */
export const withContents: Fragment = raw(`
  left join message_contents b on b.hash = m.body_hash
  left join message_contents i on i.hash = m.init_state_hash`);
