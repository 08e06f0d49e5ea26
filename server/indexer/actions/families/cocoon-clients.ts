import { addressText, fieldsOf, tryFieldsIn } from "../body.js";
import type { Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import { rowKind } from "../row-kind.js";

// COCOON: requests of client owners to their client contracts.

const walletRequest = 0x9c69f376;
const clientProxyRequest = 0x65448ff4;
const payout = 0xc59a7cd3;
const excess = 0x2565934c;

/** The client notifies its proxy and returns the rest. */
const told = [call(excess), call(clientProxyRequest)];

const topUpKind = rowKind("cocoon_client_top_up");

export const cocoonClientTopUp: Matcher = {
  name: "cocoon client top up",
  pattern: call(0xf172e6c2).followedBy(call(clientProxyRequest).as("request").followedBy(call(excess))),
  build: (match) => {
    const { anchor } = match;
    const { query_id, top_up_amount, send_excesses_to } = fieldsOf("cocoon_ext_client_top_up", anchor);
    const members = {
      source: addressText(send_excesses_to),
      destination: anchor.account,
      proxy: match.get("request").destination,
      amount: top_up_amount,
      query_id,
    };
    return topUpKind.build(members, { isFailed: anchor.node.isAborted });
  },
};

const registerKind = rowKind("cocoon_client_register");

export const cocoonClientRegister: Matcher = {
  name: "cocoon client register",
  pattern: call(0xc45f9f3b).followedBy(told),
  build: ({ anchor }) => {
    const { query_id, nonce, send_excesses_to } = fieldsOf("cocoon_owner_client_register", anchor);
    const members = {
      source: addressText(send_excesses_to),
      destination: anchor.account,
      query_id,
      nonce,
    };
    return registerKind.build(members, { isFailed: anchor.node.isAborted });
  },
};

const changeSecretHashKind = rowKind("cocoon_client_change_secret_hash");

export const cocoonClientChangeSecretHash: Matcher = {
  name: "cocoon client change secret hash",
  pattern: call(0xa9357034).followedBy(told),
  build: ({ anchor }) => {
    const request = fieldsOf("cocoon_owner_client_change_secret_hash", anchor);
    const members = {
      source: addressText(request.send_excesses_to),
      destination: anchor.account,
      query_id: request.query_id,
      // Without leading zeros, like the reference.
      new_secret_hash: request.new_secret_hash.toString(16),
    };
    return changeSecretHashKind.build(members, { isFailed: anchor.node.isAborted });
  },
};

const requestRefundKind = rowKind("cocoon_client_request_refund");

export const cocoonClientRequestRefund: Matcher = {
  name: "cocoon client request refund",
  pattern: call(0xfafa6cc1).precededBy(call(walletRequest).as("wallet").optional()).followedBy(told),
  build: (match) => {
    const { anchor } = match;
    const { query_id, send_excesses_to } = fieldsOf("cocoon_owner_client_request_refund", anchor);
    const members = {
      source: addressText(send_excesses_to),
      destination: anchor.account,
      query_id,
      via_wallet: match.find("wallet") !== undefined,
    };
    return requestRefundKind.build(members, { isFailed: anchor.node.isAborted });
  },
};

const increaseStakeKind = rowKind("cocoon_client_increase_stake");

export const cocoonClientIncreaseStake: Matcher = {
  name: "cocoon client increase stake",
  pattern: call(0x6a1f6a60).followedBy(told),
  build: ({ anchor }) => {
    const { query_id, new_stake, send_excesses_to } = fieldsOf("cocoon_owner_client_increase_stake", anchor);
    const members = {
      source: addressText(send_excesses_to),
      destination: anchor.account,
      amount: new_stake,
      query_id,
      new_stake,
    };
    return increaseStakeKind.build(members, { isFailed: anchor.node.isAborted });
  },
};

const withdrawKind = rowKind("cocoon_client_withdraw");

export const cocoonClientWithdraw: Matcher = {
  name: "cocoon client withdraw",
  pattern: call(0xda068e78).followedBy(
    call(clientProxyRequest)
      .as("request")
      .followedBy([call(payout), call(excess).optional()]),
  ),
  build: (match) => {
    const { anchor } = match;
    const { query_id, send_excesses_to } = fieldsOf("cocoon_owner_client_withdraw", anchor);
    const { payload } = fieldsOf("cocoon_client_proxy_request", match.get("request"));
    const amount = tryFieldsIn("cocoon_client_proxy_refund_granted", payload)?.coins ?? 0n;
    const members = {
      source: addressText(send_excesses_to),
      destination: anchor.account,
      amount,
      query_id,
      withdraw_amount: amount,
    };
    return withdrawKind.build(members, { isFailed: anchor.node.isAborted });
  },
};
