import { fieldsOf } from "../body.js";
import type { Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import { rowKind } from "../row-kind.js";

const subscribeKind = rowKind("subscribe", { isLeaf: true });

/** A wallet pays its plugin, possibly on the plugin's request, and the plugin pays the beneficiary. */
export const subscribe: Matcher = {
  name: "subscribe",
  pattern: call(0xf06c7567)
    .precededBy(call(0x706c7567).as("request").optional())
    .followedBy(call(0x73756273).as("payment")),
  build: (match) => {
    const { anchor } = match;
    const request = match.find("request");
    const members = {
      subscriber: anchor.source,
      beneficiary: match.get("payment").destination,
      subscription: anchor.account,
      amount: request ? fieldsOf("payment_request_start", request).amount : anchor.value,
    };
    return subscribeKind.build(members, { isFailed: (request ?? anchor).isFailed });
  },
};

const unsubscribeKind = rowKind("unsubscribe", { isLeaf: true });

/** A wallet destroys its plugin, which notifies the beneficiary. */
export const unsubscribe: Matcher = {
  name: "unsubscribe",
  pattern: call(0x64737472).followedBy(call(0x64737472).as("told").optional()),
  build: (match) => {
    const { anchor } = match;
    return unsubscribeKind.build({
      subscriber: anchor.source,
      beneficiary: match.find("told")?.destination,
      subscription: anchor.account,
    });
  },
};
