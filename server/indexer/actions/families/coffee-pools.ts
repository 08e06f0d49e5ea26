import { addressText, fieldsIn, fieldsOf } from "../body.js";
import { cancel, type Match, type Matcher } from "../matcher.js";
import { call, made } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import { coffeeAsset } from "./coffee-assets.js";
import { jettonTransferKind } from "./jettons.js";
import { jettonsOr } from "./liquidity.js";

const createPool = 0xc0ffee02;
const createPoolWithExtra = 0xc0ffee03;
const createVault = 0xc0ffee06;
const deploy = 0xc0ffee22;
const createPoolCreator = 0xc0ffee23;
const createPoolByCreator = 0xc0ffee25;
const deposited = 0xc0ffee33;
const notification = 0xc0ffee36;
const internalTransfer = 0x178d4519;
const excess = 0xd53276db;

/** One of the two assets of a new pool was provided. */
const coffeePoolCreatorKind = rowKind("coffee_create_pool_creator");

/** swap.coffee: a pool is created by a contract that collects both assets. */
export const coffeePoolCreator: Matcher = {
  name: "coffee pool creator",
  pattern: call(createPoolCreator)
    .precededBy(jettonsOr("in", createPool, createPoolWithExtra))
    .followedBy(call(deploy).as("creator")),
  build: (match) => {
    const paid = match.get("in");
    if (paid.opcode === createPoolWithExtra) return cancel("the pool is of an extra currency");
    const { params, creation_params } = readRequest(match);
    const transfer = jettonTransferKind.of(paid);
    const { amount } = fieldsOf("coffee_create_pool_creator_request", match.anchor);
    return coffeePoolCreatorKind.build({
      source: transfer ? transfer.sender : paid.source,
      source_jetton_wallet: transfer?.senderWallet,
      deposit_recipient: addressText(creation_params.public.recipient),
      pool_creator_contract: match.get("creator").destination,
      provided_asset: transfer?.asset,
      amount,
      // In the pool's order.
      asset_1: coffeeAsset(params.first),
      asset_2: coffeeAsset(params.second),
    });
  },
};

function readRequest(match: Match) {
  const paid = match.get("in");
  const transfer = jettonTransferKind.of(paid);
  return transfer
    ? fieldsIn("coffee_create_pool_forward_payload", transfer.payload)
    : fieldsOf("coffee_create_pool", paid);
}

const coffeePoolKind = rowKind("coffee_create_pool");

/** swap.coffee: the creator deploys the pool once it has the second asset. */
export const coffeePool: Matcher = {
  name: "coffee pool",
  pattern: made(coffeePoolCreatorKind).followedBy(
    call(createPoolByCreator)
      .as("request")
      .followedBy(
        call(deploy)
          .as("pool")
          .followedBy([
            call(internalTransfer).followedBy(call(excess).optional()),
            call(deposited).as("event"),
            call(notification).followedBy(call(0xb216d31f).optional()).optional(),
          ]),
      ),
  ),
  build: (match) => {
    const creator = coffeePoolCreatorKind.dataOf(match.anchor);
    const request = fieldsOf("coffee_create_pool_request", match.get("request"));
    const { lp_amount } = fieldsOf("coffee_deposit_liquidity_succeeded", match.get("event"));
    const { source, provided_asset: given, asset_1: first, asset_2: second } = creator;
    const initiator = addressText(request.tx_initiator);
    // The given asset comes first.
    const isSwapped = given !== first && given === second;
    return coffeePoolKind.build({
      source,
      source_jetton_wallet: creator.source_jetton_wallet,
      pool: match.get("pool").destination,
      pool_creator_contract: creator.pool_creator_contract,
      first_asset: isSwapped ? second : first,
      asset_1: isSwapped ? first : second,
      amount: creator.amount,
      amount_1: isSwapped ? request.amount2 : request.amount1,
      amount_2: isSwapped ? request.amount1 : request.amount2,
      initiator_1: isSwapped ? initiator : source,
      initiator_2: isSwapped ? source : initiator,
      provided_asset: given,
      lp_tokens_minted: lp_amount,
    });
  },
};

const coffeeVaultKind = rowKind("coffee_create_vault");

/** swap.coffee: a vault; a jetton vault asks the master for its wallet. */
export const coffeeVault: Matcher = {
  name: "coffee vault",
  pattern: call(createVault).followedBy(
    call(deploy)
      .as("vault")
      .followedBy(call(0x2c76b973).followedBy(call(0xd1735400).optional()).optional()),
  ),
  build: (match) => {
    const { source, value } = match.anchor;
    const { asset } = fieldsOf("coffee_create_vault", match.anchor);
    const vault = match.get("vault").destination;
    return coffeeVaultKind.build({ source, vault, asset: coffeeAsset(asset), value });
  },
};
