import type { ActionMembers } from "../../../../shared/actions/all.js";
import { ifReadable } from "../../../../shared/ton/tlb/readable.js";
import type { Block } from "../block.js";
import { addressText, fieldsOf } from "../body.js";
import type { ContractLookups } from "../contracts.js";
import { cancel, type Match, type Matcher } from "../matcher.js";
import { call, either, made, repeat, transfer } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import { jettonTransferKind } from "./jettons.js";

const receiveJettons = 0xd68a4ac1;
const cancelStake = 0x9eada1d9;
const setData = 0x383411ea;
const unstake = 0x499a9262;
const requestUnstake = 0x0168d4b7;
const claim = 0x78d9f109;
const sendClaimed = 0x44bc1fe3;
const askForUpdate = 0xf5c5baa3;
const update = 0xae9307ce;
const askReferrer = 0x55c35b40;
const updateReferrer = 0x076ee4e0;

/** Each referrer calls the next one; the last one receives the result. */
const referrers = call(askReferrer).followedBy([repeat(call(askReferrer), call(updateReferrer)).optional()]);
const paidOut = made(jettonTransferKind).as("paid");

const jvaultStakeKind = rowKind("jvault_stake");

export const jvaultStake: Matcher = {
  name: "jvault stake",
  pattern: made(jettonTransferKind).followedBy([
    call(receiveJettons)
      .as("received")
      .followedBy(
        either(
          call(askForUpdate)
            .as("asked")
            .followedBy([referrers.optional(), call(update)]),
          call(cancelStake).as("cancelled").followedBy(made(jettonTransferKind).optional()),
        ),
      ),
    call(setData).optional(),
  ]),
  build: (match) => {
    const { anchor } = match;
    const { sender, senderWallet, asset, payload } = jettonTransferKind.dataOf(anchor);
    if (payload === undefined) return cancel("the transfer has no payload, so no period");
    const received = match.get("received");
    const stake = {
      source: sender,
      source_jetton_wallet: senderWallet,
      stake_wallet: received.destination,
      pool: received.source,
      asset,
      amount: fieldsOf("jetton_transfer_start", anchor).amount,
      period: payload.parse().skip(32).loadBigUint(32),
    };
    const isCancelled = match.find("cancelled") !== undefined;
    const isUnanswered = match.find("asked")?.isFailed ?? false;
    return jvaultStakeKind.build(stake, { isFailed: received.isFailed || isCancelled || isUnanswered });
  },
};

const jvaultUnstakeKind = rowKind("jvault_unstake");

export const jvaultUnstake: Matcher = {
  name: "jvault unstake",
  pattern: call(unstake).followedBy(
    call(askForUpdate)
      .as("asked")
      .followedBy([referrers.optional(), transfer().optional(), paidOut, call(update)])
      .optional(),
  ),
  build: (match, contracts) => {
    const { anchor } = match;
    const known = poolOf(anchor, contracts);
    if (!known) return cancel("the data of the stake wallet and its pool are unknown");
    const asked = match.find("asked");
    if (asked && jettonTransferKind.dataOf(match.get("paid")).asset !== known.asset)
      return cancel("another jetton is paid than the pool holds");
    return jvaultUnstakeKind.build({
      ...known,
      ...requestOf(anchor),
      amount: fieldsOf("jvault_unstake_jettons", anchor).jettons_to_unstake,
      ...outcomeOf(match, known),
    });
  },
};

const jvaultUnstakeRequestKind = rowKind("jvault_unstake_request");

/** A stake to be withdrawn later. */
export const jvaultUnstakeRequest: Matcher = {
  name: "jvault unstake request",
  pattern: call(requestUnstake).followedBy(
    call(askForUpdate)
      .as("asked")
      .followedBy([referrers.optional(), call(update)])
      .optional(),
  ),
  build: (match, contracts) => {
    const { anchor } = match;
    const known = poolOf(anchor, contracts);
    const asked = match.find("asked");
    if (!known && !asked) return cancel("the data of the stake wallet and its pool are unknown");
    const request = {
      ...requestOf(anchor),
      asset: known?.asset,
      staking_asset: known?.staking_asset,
      amount: fieldsOf("jvault_unstake_request", anchor).jettons_to_unstake,
      ...outcomeOf(match, known),
    };
    return jvaultUnstakeRequestKind.build(request, {
      isFailed: anchor.isFailed || (asked?.isFailed ?? true),
    });
  },
};

function requestOf({ source, account }: Block) {
  return { source, stake_wallet: account };
}

/** A stake wallet that accepts calls its pool; one that refuses has an exit code. */
function outcomeOf(match: Match, known: Pool | undefined) {
  const asked = match.find("asked");
  return asked
    ? { pool: asked.destination, exit_code: undefined }
    : { pool: known?.pool, exit_code: match.anchor.node.transaction.exitCode };
}

type Pool = Pick<ActionMembers<"jvault_unstake">, "pool" | "asset" | "staking_asset">;

/** The pool of the called stake wallet, from the data of both; undefined if any part is unknown. */
function poolOf({ account }: Block, contracts: ContractLookups): Pool | undefined {
  return ifReadable(() => {
    const wallet = contracts.dataOf(account)?.parse();
    const pool = addressText(wallet?.loadAddress());
    const stakingAsset = addressText(wallet?.loadAddress());
    const data = contracts.dataOf(pool)?.parse().skip(33);
    data?.loadAddress();
    data?.loadAddress();
    const asset = contracts.jettonWallet(addressText(data?.loadAddress()))?.master;
    return asset && stakingAsset ? { pool, asset, staking_asset: stakingAsset } : undefined;
  });
}

const jvaultClaimKind = rowKind("jvault_claim");

export const jvaultClaim: Matcher = {
  name: "jvault claim",
  pattern: call(claim).followedBy(
    call(sendClaimed)
      .as("sent")
      .followedBy([paidOut, call(update)]),
  ),
  build: (match) => {
    const { anchor } = match;
    const { jettons_to_claim } = fieldsOf("jvault_claim_rewards_msg", anchor);
    return jvaultClaimKind.build({
      ...requestOf(anchor),
      pool: match.get("sent").destination,
      // Wallets of the pool.
      claimed_jettons: [...jettons_to_claim.keys()].map((jetton) => jetton.toRawUpper()),
      // Only one payment is read, as in the reference.
      claimed_amounts: [fieldsOf("jetton_transfer_start", match.get("paid")).amount],
    });
  },
};
