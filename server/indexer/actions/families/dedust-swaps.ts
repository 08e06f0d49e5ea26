import type { BodyFields } from "../../../../shared/ton/bodies/declared.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Block } from "../block.js";
import { addressText, fieldsIn, fieldsOf } from "../body.js";
import type { Asset, ContractLookups } from "../contracts.js";
import { cancel, type Match, type Matcher } from "../matcher.js";
import { call, either, made, repeat } from "../pattern.js";
import { dedustAsset } from "./dedust-assets.js";
import { jettonTransferKind } from "./jettons.js";
import {
  byLt,
  type Part,
  peerSwap,
  type Swap,
  type SwapTransfer,
  swapKind,
  swapTransferOf,
  tonTransferOf,
} from "./swaps.js";

const swapRequest = 0xea06185d;
const swapPayload = 0xe3a0d482;
const swapExternal = 0x61ee542d;
const swapPeer = 0x72aca8aa;
const swapEvent = 0x9c610de3;
const payOutFromPool = 0xad4eb6f5;
const payout = 0x474f86cf;

const swapped = call(swapEvent).as("event").optional();
const paidOut = call(payOutFromPool)
  .as("payment")
  .followedBy(either(made(jettonTransferKind).as("out"), call(payout).as("out")));
const poolSwap = call(swapPeer, swapExternal).as("swap").followedBy([swapped]);

/** DeDust: a vault calls the first pool of a route, each pool the next one, and the last pool another vault. */
export const dedustSwap: Matcher = {
  name: "dedust swap",
  pattern: call(swapExternal)
    .as("swap")
    .precededBy(
      either(
        made(jettonTransferKind)
          .where(
            "that asks for a swap",
            (block) => jettonTransferKind.dataOf(block).payloadOpcode === swapPayload,
          )
          .as("in"),
        call(swapRequest).as("in"),
      ),
    )
    .followedBy([either(paidOut, repeat(poolSwap, paidOut)), swapped]),
  build: (match, contracts) => {
    const payments = match.all("payment");
    if (payments.length !== 1) return cancel("not exactly one pool paid");
    const { incoming, route } = readRequest(match.get("in"));
    const wanted = wantedAsset(incoming.asset, route, contracts);
    if (!wanted) return cancel("a pool of the route is unknown");

    const outgoing = outgoingOf(match, itemAt(payments, 0));
    const events = byLt(match.all("event"));
    const last = events.length > 0 ? readEvent(itemAt(events, -1)).taken : outgoing;
    const swap: Swap = {
      dex: "dedust",
      incoming,
      outgoing: { ...outgoing, amount: last.amount, asset: last.asset },
      wanted,
      peerSwaps:
        events.length > 1 ? events.map(readEvent).map(({ given, taken }) => peerSwap(given, taken)) : [],
    };
    const isFailed = match
      .all("swap")
      .some(({ followers }) => !followers.some((each) => events.includes(each)));
    return swapKind.build(swap, { isFailed });
  },
};

type Step = Pick<Extract<BodyFields<"dedust_swap">, { pool_addr: unknown }>, "pool_addr" | "params">;

function readRequest(request: Block): { readonly incoming: SwapTransfer; readonly route: Step } {
  const transfer = jettonTransferKind.of(request);
  const asked = transfer ? fieldsIn("dedust_swap", transfer.payload) : fieldsOf("dedust_swap", request);
  if (!("params" in asked)) throw new TypeError("the request has no route");
  if (transfer) return { incoming: swapTransferOf(transfer), route: asked };
  if (!("amount" in asked)) throw new TypeError("the request has no amount");
  return { incoming: tonTransferOf(request, asked.amount), route: asked };
}

/** The output asset of the route's last pool; undefined if any pool is unknown. */
function wantedAsset(
  given: Asset,
  route: Step,
  contracts: ContractLookups,
): { readonly asset: Asset } | undefined {
  let asset = given;
  for (let step: Step | undefined = route; step; step = step.params.next) {
    const pool = contracts.at(addressText(step.pool_addr)).dedustPool;
    if (!pool) return undefined;
    const [first, second] = pool.assets;
    asset = asset === first ? second : first;
  }
  return { asset };
}

function readEvent(event: Block): { readonly given: Part; readonly taken: Part } {
  const fields = fieldsOf("dedust_swap", event);
  if (!("asset_in" in fields)) throw new TypeError("the event has no assets");
  return {
    given: { asset: dedustAsset(fields.asset_in), amount: fields.amount_in },
    taken: { asset: dedustAsset(fields.asset_out), amount: fields.amount_out },
  };
}

function outgoingOf(match: Match, payment: Block): SwapTransfer {
  const out = match.get("out");
  const transfer = jettonTransferKind.of(out);
  return transfer
    ? swapTransferOf(transfer)
    : tonTransferOf(out, fieldsOf("dedust_pay_out_from_pool", payment).amount);
}
