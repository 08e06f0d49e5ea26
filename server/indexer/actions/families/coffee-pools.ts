import type { DetailsByType } from "../../../store/tables/action-details.js";
import { BlockKind } from "../block-kind.js";
import { addressText, fieldsIn, fieldsOf } from "../body.js";
import type { Asset } from "../contracts.js";
import { cancel, type Match, type Matcher } from "../matcher.js";
import { call, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
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
type PoolCreator = {
  readonly sender: AddressText | undefined;
  readonly senderWallet: AddressText | undefined;
  readonly recipient: AddressText | undefined;
  readonly contract: AddressText | undefined;
  readonly given: Asset;
  readonly amount: bigint;
  /** In the pool's order. */
  readonly assets: readonly [Asset, Asset];
};

const coffeePoolCreatorKind = new BlockKind("coffee_create_pool_creator", {
  type: "coffee_create_pool_creator",
  row: ({ sender, senderWallet, recipient, contract, given, amount, assets }: PoolCreator) => ({
    source: sender,
    source_secondary: senderWallet,
    destination: recipient,
    destination_secondary: contract,
    asset: given,
    asset2: assets[0],
    asset2_secondary: assets[1],
    amount,
  }),
});

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
      sender: transfer ? transfer.sender : paid.source,
      senderWallet: transfer?.senderWallet,
      recipient: addressText(creation_params.public.recipient),
      contract: match.get("creator").destination,
      given: transfer?.asset,
      amount,
      assets: [coffeeAsset(params.first), coffeeAsset(params.second)],
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

type Pool = {
  readonly creator: PoolCreator;
  readonly address: AddressText | undefined;
  readonly assets: readonly [Asset, Asset];
  readonly details: DetailsByType["coffee_create_pool"]["coffee_create_pool_data"];
};

const coffeePoolKind = new BlockKind("coffee_create_pool", {
  type: "coffee_create_pool",
  row: ({ creator, address, assets, details }: Pool) => ({
    source: creator.sender,
    source_secondary: creator.senderWallet,
    destination: address,
    destination_secondary: creator.contract,
    asset: assets[0],
    asset2: assets[1],
    amount: creator.amount,
    coffee_create_pool_data: details,
  }),
});

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
    const [first, second] = creator.assets;
    const initiator = addressText(request.tx_initiator);
    // The given asset comes first.
    const isSwapped = creator.given !== first && creator.given === second;
    return coffeePoolKind.build({
      creator,
      address: match.get("pool").destination,
      assets: isSwapped ? [second, first] : [first, second],
      details: {
        amount_1: isSwapped ? request.amount2 : request.amount1,
        amount_2: isSwapped ? request.amount1 : request.amount2,
        initiator_1: isSwapped ? initiator : creator.sender,
        initiator_2: isSwapped ? creator.sender : initiator,
        provided_asset: creator.given,
        lp_tokens_minted: lp_amount,
      },
    });
  },
};

type Vault = {
  readonly sender: AddressText | undefined;
  readonly address: AddressText | undefined;
  readonly asset: Asset;
  readonly value: bigint | undefined;
};

const coffeeVaultKind = new BlockKind("coffee_create_vault", {
  type: "coffee_create_vault",
  row: ({ sender, address, asset, value }: Vault) => ({
    source: sender,
    destination: address,
    asset,
    value,
  }),
});

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
    const address = match.get("vault").destination;
    return coffeeVaultKind.build({ sender: source, address, asset: coffeeAsset(asset), value });
  },
};
