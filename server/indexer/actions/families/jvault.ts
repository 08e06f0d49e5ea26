import { ifReadable } from "../../../../shared/ton/tlb/readable.js";
import type { Block } from "../block.js";
import { BlockKind } from "../block-kind.js";
import { addressText, fieldsOf } from "../body.js";
import type { ContractLookups } from "../contracts.js";
import { cancel, type Match, type Matcher } from "../matcher.js";
import { call, either, made, repeat, transfer } from "../pattern.js";
import type { AddressText } from "../trace.js";
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

type Stake = {
  readonly staker: AddressText | undefined;
  readonly wallet: AddressText | undefined;
  readonly stakeWallet: AddressText | undefined;
  readonly pool: AddressText | undefined;
  readonly asset: AddressText | undefined;
  readonly amount: bigint;
  /** Seconds. */
  readonly period: bigint;
};

const jvaultStakeKind = new BlockKind("jvault_stake", {
  type: "jvault_stake",
  row: ({ staker, wallet, stakeWallet, pool, asset, amount, period }: Stake) => ({
    source: staker,
    source_secondary: wallet,
    destination: pool,
    asset,
    amount,
    jvault_stake_data: { period, stake_wallet: stakeWallet },
  }),
});

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
    const stake: Stake = {
      staker: sender,
      wallet: senderWallet,
      stakeWallet: received.destination,
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

type Unstake = {
  readonly staker: AddressText | undefined;
  readonly stakeWallet: AddressText | undefined;
  readonly pool: AddressText | undefined;
  readonly asset: AddressText | undefined;
  readonly stakingAsset: AddressText | undefined;
  readonly amount: bigint;
  /** Exit code of the stake wallet, if it refused. */
  readonly exitCode: number | undefined;
};

function unstakeColumns({ staker, stakeWallet, pool, asset, stakingAsset, amount, exitCode }: Unstake) {
  return {
    source: staker,
    source_secondary: stakeWallet,
    destination: pool,
    asset,
    asset2: stakingAsset,
    amount,
    opcode: exitCode,
  };
}

const jvaultUnstakeKind = new BlockKind("jvault_unstake", {
  type: "jvault_unstake",
  row: unstakeColumns,
});

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

const jvaultUnstakeRequestKind = new BlockKind("jvault_unstake_request", {
  type: "jvault_unstake_request",
  row: unstakeColumns,
});

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
    const request: Unstake = {
      ...requestOf(anchor),
      asset: known?.asset,
      stakingAsset: known?.stakingAsset,
      amount: fieldsOf("jvault_unstake_request", anchor).jettons_to_unstake,
      ...outcomeOf(match, known),
    };
    return jvaultUnstakeRequestKind.build(request, {
      isFailed: anchor.isFailed || (asked?.isFailed ?? true),
    });
  },
};

function requestOf({ source, account }: Block) {
  return { staker: source, stakeWallet: account };
}

/** A stake wallet that accepts calls its pool; one that refuses has an exit code. */
function outcomeOf(match: Match, known: Pool | undefined): Pick<Unstake, "pool" | "exitCode"> {
  const asked = match.find("asked");
  return asked
    ? { pool: asked.destination, exitCode: undefined }
    : { pool: known?.pool, exitCode: match.anchor.node.transaction.exitCode };
}

type Pool = Pick<Unstake, "pool" | "asset" | "stakingAsset">;

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
    return asset && stakingAsset ? { pool, asset, stakingAsset } : undefined;
  });
}

type Claim = {
  readonly staker: AddressText | undefined;
  readonly stakeWallet: AddressText;
  readonly pool: AddressText | undefined;
  /** Wallets of the pool. */
  readonly jettons: readonly AddressText[];
  readonly amount: bigint;
};

const jvaultClaimKind = new BlockKind("jvault_claim", {
  type: "jvault_claim",
  row: ({ staker, stakeWallet, pool, jettons, amount }: Claim) => ({
    source: staker,
    source_secondary: stakeWallet,
    destination: pool,
    jvault_claim_data: { claimed_jettons: jettons, claimed_amounts: [amount] },
  }),
});

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
      jettons: [...jettons_to_claim.keys()].map((jetton) => jetton.toRawUpper()),
      // Only one payment is read, as in the reference.
      amount: fieldsOf("jetton_transfer_start", match.get("paid")).amount,
    });
  },
};
