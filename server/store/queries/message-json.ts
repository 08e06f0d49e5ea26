import sql, { raw } from "sql-template-tag";
import { empty, type Fragment } from "../where.js";

/** The cell a message points to, where its content is kept; what it says is filled in later. */
function contentOf(alias: string): Fragment {
  return raw(`case when ${alias}.hash is not null then
    json_build_object('hash', wire_hash(${alias}.hash), 'body', wire_boc(${alias}.body), 'decoded', null) end`);
}

/**
 * A message as answered, but for what its body says. Row `m` of `messages` with its contents `b` and `i`.
 * `transactions` are the two members that only lists of messages have; what they and `hash_norm` lack is null.
 */
export function messageJson(transactions: Fragment = empty): Fragment {
  return sql`json_build_object(
    'hash', wire_hash(m.msg_hash),
    'source', wire_address(m.source),
    'destination', wire_address(m.destination),
    'value', m.value::text,
    'value_extra_currencies', case when m.value is not null then coalesce(m.value_extra_currencies, '{}') end,
    'fwd_fee', m.fwd_fee::text,
    'ihr_fee', m.ihr_fee::text,
    'extra_flags', m.extra_flags::text,
    'created_lt', m.created_lt::text,
    'created_at', m.created_at::text,
    'opcode', wire_opcode(m.opcode),
    'decoded_opcode', null,
    'ihr_disabled', m.ihr_disabled,
    'bounce', m.bounce,
    'bounced', m.bounced,
    'import_fee', m.import_fee::text,
    ${transactions}
    'message_content', ${contentOf("b")},
    'init_state', ${contentOf("i")},
    'hash_norm', case when m.created_lt is null then wire_hash(coalesce(m.msg_hash_norm, m.msg_hash)) end
  )`;
}

/** message_contents by its primary key. */
export const withContents: Fragment = sql`
  left join message_contents b on b.hash = m.body_hash
  left join message_contents i on i.hash = m.init_state_hash`;
