import { fieldsOf } from "../body.js";
import type { Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import { rowKind } from "../row-kind.js";

// COCOON: the list of proxies in the root contract.

const excess = 0x2565934c;

const registerProxyKind = rowKind("cocoon_register_proxy");

export const cocoonRegisterProxy: Matcher = {
  name: "cocoon register proxy",
  pattern: call(0x927c7cb5).followedBy(call(excess)),
  build: ({ anchor }) => {
    const { query_id } = fieldsOf("cocoon_register_proxy", anchor);
    const members = { destination: anchor.account, query_id };
    return registerProxyKind.build(members, { isFailed: anchor.node.isAborted });
  },
};

const unregisterProxyKind = rowKind("cocoon_unregister_proxy");

export const cocoonUnregisterProxy: Matcher = {
  name: "cocoon unregister proxy",
  pattern: call(0x6d49eaf2).followedBy(call(excess)),
  build: ({ anchor }) => {
    const { query_id, seqno } = fieldsOf("cocoon_unregister_proxy", anchor);
    const members = {
      destination: anchor.account,
      query_id,
      seqno: Number(seqno),
    };
    return unregisterProxyKind.build(members, { isFailed: anchor.node.isAborted });
  },
};
