import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { Slice } from "../../../../shared/ton/cells/slice.js";
import type { Block } from "../block.js";
import { addressText, fieldsOf } from "../body.js";
import type { Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import { rowKind } from "../row-kind.js";

// COCOON: payments of proxies to workers and owners, and charges to clients.

const workerPayout = 0xa040ad28;
const lastWorkerPayout = 0xf5f26a36;
const workerProxyRequest = 0x4d725d2c;
const clientProxyRequest = 0x65448ff4;
const payout = 0xc59a7cd3;
const excess = 0x2565934c;

const workerPayoutKind = rowKind("cocoon_worker_payout");

export const cocoonWorkerPayout: Matcher = {
  name: "cocoon worker payout",
  pattern: call(workerPayout, lastWorkerPayout).followedBy(
    call(workerProxyRequest)
      .as("request")
      .followedBy([call(payout).as("payout"), call(excess).optional()]),
  ),
  build: (match) => {
    const { anchor } = match;
    const { query_id, new_tokens } = fieldsOf("cocoon_worker_payout_start", anchor);
    const request = fieldsOf("cocoon_worker_proxy_request", match.get("request"));
    const paid = match.get("payout");
    const members = {
      source: anchor.source,
      worker: anchor.account,
      destination: addressText(request.owner_address),
      amount: paid.value,
      payout_type: anchor.opcode === workerPayout ? "regular" : "last",
      query_id,
      new_tokens,
      worker_state: Number(request.state),
      worker_tokens: request.tokens,
    };
    return workerPayoutKind.build(members, { isFailed: paid.node.isAborted });
  },
};

const proxyPayoutKind = rowKind("cocoon_proxy_payout");

export const cocoonProxyPayout: Matcher = {
  name: "cocoon proxy payout",
  pattern: call(0x7610e6eb).followedBy([call(payout).as("payout"), call(excess)]),
  build: (match) => {
    const { anchor } = match;
    const { query_id, send_excesses_to } = fieldsOf("cocoon_ext_proxy_payout_request", anchor);
    const paid = match.get("payout");
    const members = {
      source: anchor.account,
      destination: paid.destination,
      excess_receiver: addressText(send_excesses_to),
      query_id,
    };
    return proxyPayoutKind.build(members, { isFailed: paid.node.isAborted });
  },
};

const proxyChargeKind = rowKind("cocoon_proxy_charge");

export const cocoonProxyCharge: Matcher = {
  name: "cocoon proxy charge",
  pattern: call(0xbb63ff93).followedBy([call(excess), call(clientProxyRequest).as("request")]),
  build: (match) => {
    const { anchor } = match;
    const members = {
      source: anchor.account,
      destination: match.get("request").destination,
      amount: 0n,
      ...readCharge(anchor),
    };
    return proxyChargeKind.build(members, { isFailed: anchor.node.isAborted });
  },
};

const grantRefundKind = rowKind("cocoon_grant_refund");

export const cocoonGrantRefund: Matcher = {
  name: "cocoon grant refund",
  pattern: call(0xefd711e1).followedBy(
    call(clientProxyRequest)
      .as("request")
      .followedBy([call(payout).as("payout"), call(excess)]),
  ),
  build: (match) => {
    const { anchor } = match;
    const paid = match.get("payout");
    const members = {
      source: anchor.account,
      client: match.get("request").destination,
      destination: paid.destination,
      amount: paid.value,
      ...readCharge(anchor),
    };
    return grantRefundKind.build(members, { isFailed: paid.node.isAborted });
  },
};

function readCharge(request: Block) {
  const { query_id, new_tokens_used, rest } = fieldsOf("cocoon_charge_start", request);
  return { query_id, new_tokens_used, expected_address: readAddress(rest) };
}

const externalAddress = 1;

/**
 * The reference reads an address even where a signed request has other fields, so the result can be an external address
 * or unreadable.
 */
function readAddress(cell: Cell): string | undefined {
  const from = cell.parse();
  return from.preloadUint(2) === externalAddress
    ? externalText(from.skip(2))
    : addressText(from.loadAddress());
}

function externalText(from: Slice): string {
  const bits = from.loadUint(9);
  return `${bits};${from.loadBigUint(bits).toString(16)}`;
}
