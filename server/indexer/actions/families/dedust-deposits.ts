import type { BodyFields } from "../../../../shared/ton/bodies/declared.js";
import type { AfterPass } from "../after-pass.js";
import type { Block } from "../block.js";
import { addressText, fieldsIn, fieldsOf, payloadIn } from "../body.js";
import type { Asset, ContractLookups } from "../contracts.js";
import { cancel, type Match, type Matcher } from "../matcher.js";
import { call, either, transfer } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { dedustAsset } from "./dedust-assets.js";
import { type Deposit, depositKindOf, depositMembers, type Excess, noSide, type Side } from "./liquidity.js";

const tonRequest = 0xd55e4686;
const createDeposit = 0xf04ec526;
const install = 0x9b3aa3fa;
const depositAsset = 0x54240fe5;
const depositAll = 0xb56b9598;
const rejectDeposit = 0xe1a36cd4;
const fulfillDeposit = 0xaae79256;
const payOutFromDeposit = 0x6b0b787f;
const payout = 0x474f86cf;
const transferRequest = 0x0f8a7ea5;
const internalTransfer = 0x178d4519;
const notification = 0x7362d09c;

/** A deposit with both assets delivered to the pool. */
const dedustDepositKind = depositKindOf("dedust_deposit_liquidity");
/** One asset of a deposit, waiting for the other one. */
const dedustPartialDepositKind = depositKindOf("dedust_deposit_liquidity_partial");

/** The asset sent to a vault. Its jettons are not yet recognised as transfers. */
const brought = either(
  call(tonRequest).as("ton"),
  call(notification)
    .as("jettons")
    .precededBy(call(internalTransfer).as("received").precededBy(call(transferRequest).as("request"))),
);

const excessOfVault = call(payOutFromDeposit)
  .followedBy([
    call(transferRequest)
      .as("jettonExcess")
      .followedBy(call(internalTransfer).as("receivedExcess").followedBy(call(notification).optional()))
      .optional(),
    call(payout).as("tonExcess").optional(),
  ])
  .optional();
const givenBack = [transfer().optional(), excessOfVault, excessOfVault];

/** DeDust: the second asset arrived, and the pool accepts or rejects both. */
export const dedustDeposit: Matcher = {
  name: "dedust deposit",
  pattern: call(depositAll)
    .precededBy(
      call(depositAsset).precededBy(
        call(createDeposit).followedBy(call(install).optional()).precededBy(brought),
      ),
    )
    .followedBy([
      either(
        call(internalTransfer).as("lp").followedBy(call(notification).optional()),
        call(rejectDeposit).followedBy(givenBack),
      ),
      call(fulfillDeposit).followedBy(givenBack).optional(),
    ]),
  build: (match, contracts) => {
    const { anchor } = match;
    const fields = fieldsOf("dedust_deposit_liquidity_all", anchor);
    const owner = addressText(fields.owner_addr);
    const side = broughtSide(match, contracts);
    if (!side) return cancel("the vault's wallet is unknown");
    const lp = match.find("lp");
    const minted = lp && fieldsOf("jetton_internal_transfer_start", lp).amount;
    const wallet = walletOfOwner(match, { owner, asset: side.asset }, contracts);
    const deposit: Deposit = {
      source: owner,
      pool: anchor.destination,
      collector: anchor.source,
      ...depositMembers("dedust", [{ ...side, wallet }, noSide], minted),
      target_asset_1: dedustAsset(fields.asset0),
      target_amount_1: fields.asset0_amount,
      target_asset_2: dedustAsset(fields.asset1),
      target_amount_2: fields.asset1_amount,
      vault_excesses: excessesOf(match, owner, contracts),
    };
    return dedustDepositKind.build(deposit, { isFailed: lp === undefined });
  },
};

/** DeDust: the first asset arrived. */
export const dedustFirstDeposit: Matcher = {
  name: "dedust first deposit",
  pattern: call(depositAsset).precededBy(call(createDeposit).followedBy(call(install)).precededBy(brought)),
  build: (match, contracts) => {
    const { anchor } = match;
    if (anchor.followers.some(({ opcode }) => opcode === depositAll || opcode === rejectDeposit))
      return cancel("the deposit goes on");
    const side = broughtSide(match, contracts);
    if (!side) return cancel("the vault's wallet is unknown");
    const deposit: Deposit = {
      source: senderOf(match),
      pool: undefined,
      collector: anchor.destination,
      ...depositMembers("dedust", [{ ...side, wallet: match.find("received")?.source }, noSide], undefined),
      ...targetsOf(match),
    };
    return dedustPartialDepositKind.build(deposit);
  },
};

/** The side without its wallet; undefined if the vault's wallet is unknown. */
function broughtSide(match: Match, contracts: ContractLookups): Side | undefined {
  const ton = match.find("ton");
  if (ton) return { ...noSide, amount: amountOf(fieldsOf("dedust_deposit_liquidity", ton)) };
  const jettons = match.get("jettons");
  const vaultWallet = contracts.jettonWallet(jettons.source);
  const { amount } = fieldsOf("jetton_notify_start", jettons);
  return vaultWallet && { asset: vaultWallet.master, amount, wallet: undefined };
}

type Request = BodyFields<"dedust_deposit_liquidity">;

function amountOf(request: Request): bigint {
  if (!("amount" in request)) throw new TypeError("the request has no amount");
  return request.amount;
}

/** The amounts to be deposited, from the request or the jettons' payload. */
function targetsOf(match: Match) {
  const request = readRequest(match);
  const { asset0, asset1 } = request.pool_params;
  const balances = "deposit_params" in request ? request.deposit_params : request;
  return {
    target_asset_1: dedustAsset(asset0),
    target_amount_1: balances.asset0_target_balance,
    target_asset_2: dedustAsset(asset1),
    target_amount_2: balances.asset1_target_balance,
  };
}

function readRequest(match: Match): Request {
  const ton = match.find("ton");
  if (ton) return fieldsOf("dedust_deposit_liquidity", ton);
  const payload = payloadIn(fieldsOf("jetton_notify_start", match.get("jettons")).rest);
  return fieldsIn("dedust_deposit_liquidity", payload);
}

function senderOf(match: Match): AddressText | undefined {
  const ton = match.find("ton");
  return ton ? ton.source : addressText(fieldsOf("jetton_notify_start", match.get("jettons")).sender);
}

/** The owner's wallet of the asset to be paid. */
function walletOfOwner(
  { taken }: Match,
  { owner, asset }: { owner: AddressText | undefined; asset: Asset },
  contracts: ContractLookups,
): AddressText | undefined {
  if (asset === undefined) return undefined;
  return taken.find(
    ({ opcode, source, account }) =>
      opcode === transferRequest && source === owner && contracts.jettonWallet(account)?.master === asset,
  )?.account;
}

/** Amounts returned to the owner by vaults. Jettons with an unknown wallet are ignored. */
function excessesOf(
  match: Match,
  owner: AddressText | undefined,
  contracts: ContractLookups,
): readonly Excess[] {
  const ton = match
    .all("tonExcess")
    .filter(({ destination }) => destination === owner)
    .map(({ value }) => ({ asset: undefined, amount: value ?? 0n }));
  const jettons = match.all("receivedExcess").flatMap((received) => {
    const wallet = contracts.jettonWallet(received.account);
    if (!wallet || wallet.owner !== owner) return [];
    return [{ asset: wallet.master, amount: fieldsOf("jetton_internal_transfer_start", received).amount }];
  });
  return [...ton, ...jettons];
}

/**
 * Merges the two halves of a deposit in one trace. If a contract has more than two, none are merged. Throws if the
 * halves contradict each other.
 */
export const pairDedustDeposits: AfterPass = (tree) => {
  const contracts = new Map<AddressText | undefined, { finals: Block[]; partials: Block[] }>();
  for (const block of tree.outermostBlocks()) {
    const deposit = dedustDepositKind.of(block) ?? dedustPartialDepositKind.of(block);
    if (!deposit) continue;
    const found = contracts.get(deposit.collector) ?? { finals: [], partials: [] };
    (block.kind === dedustDepositKind ? found.finals : found.partials).push(block);
    contracts.set(deposit.collector, found);
  }
  const found = [...contracts.values()];
  if (found.some(({ finals, partials }) => finals.length + partials.length > 2)) return;
  for (const {
    finals: [final],
    partials: [partial],
  } of found)
    if (final && partial)
      tree.merge(final, partial, {
        kind: dedustDepositKind,
        data: pairOf(dedustDepositKind.dataOf(final), dedustPartialDepositKind.dataOf(partial)),
        isFailed: final.isFailed,
      });
};

/** Assets are in order of arrival; target amounts stay in the pool's order. */
function pairOf(final: Deposit, partial: Deposit): Deposit {
  const sides = [firstSideOf(partial), firstSideOf(final)] as const;
  const [first, second] = sides;
  const targets = targetAssetsOf(final);
  if (!isSamePair(targets, targetAssetsOf(partial)))
    throw new Error("halves of a deposit have other targets");
  // Also covers two halves of the same asset.
  if (first.asset === second.asset || !isSamePair([first.asset, second.asset], targets))
    throw new Error("halves of a deposit are not the two assets of the pool");
  return {
    ...final,
    ...depositMembers("dedust", sides, final.lp_tokens_minted),
    target_asset_1: first.asset,
    target_asset_2: second.asset,
  };
}

function firstSideOf({ asset_1, amount_1, user_jetton_wallet_1 }: Deposit): Side {
  return {
    asset: asset_1,
    amount: amount_1,
    wallet: asset_1 === undefined ? undefined : user_jetton_wallet_1,
  };
}

function targetAssetsOf({ target_asset_1, target_asset_2 }: Deposit): readonly [Asset, Asset] {
  return [target_asset_1, target_asset_2];
}

function isSamePair([a, b]: readonly [Asset, Asset], [c, d]: readonly [Asset, Asset]): boolean {
  return (a === c && b === d) || (a === d && b === c);
}
