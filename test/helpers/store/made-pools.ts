import { codeOf, nominatorEventTypes, poolValidatorEventTypes } from "../../../server/store/codes.js";
import type { Address } from "../../../shared/values/address.js";
import { type MadeRow, madeRow, type Special } from "./made-row.js";
import { bytesOf, hashOf } from "./rows.js";

type Share = readonly [who: Address, balance: bigint, pending: bigint];

export function poolRow(
  address: Address,
  shares: readonly Share[],
  special: Special<"nominatorPools">,
): MadeRow<"nominatorPools"> {
  return madeRow("nominatorPools", {
    address: bytesOf(address),
    state: 2,
    nominators_count: shares.length,
    stake_amount_sent: 77n,
    validator_amount: 10n ** 20n,
    validator_reward_share: 4000,
    max_nominators_count: 40,
    min_validator_stake: 1000n,
    min_nominator_stake: 100n,
    nominators: shares.map(([who]) => bytesOf(who)),
    members: shares.map(([who, balance, pending]) => ({
      address: who.toRawUpper(),
      balance: String(balance),
      pending_balance: String(pending),
    })),
    ...special,
  });
}

/** An event of a transaction that is named by its lt. */
export function nominatorEventRow(
  tx_lt: bigint,
  type: (typeof nominatorEventTypes)[number],
  special: Special<"nominatorPoolEvents">,
): MadeRow<"nominatorPoolEvents"> {
  return madeRow("nominatorPoolEvents", {
    tx_hash: hashOf(`event ${tx_lt}`),
    tx_lt,
    utime: Number(tx_lt) * 10,
    trace_id: hashOf("trace"),
    event_index: 0,
    type: codeOf(nominatorEventTypes, type),
    pending_balance_delta: 0n,
    balance_before: 20n,
    balance_after: 25n,
    pending_before: 3n,
    pending_after: 3n,
    ...special,
  });
}

/** The row of an event of a pool's validator. */
export function poolValidatorEventRow(
  tx_lt: bigint,
  type: (typeof poolValidatorEventTypes)[number],
  special: Special<"nominatorPoolValidatorEvents">,
): MadeRow<"nominatorPoolValidatorEvents"> {
  return madeRow("nominatorPoolValidatorEvents", {
    tx_hash: hashOf(`validator event ${tx_lt}`),
    tx_lt,
    utime: Number(tx_lt) * 10,
    trace_id: hashOf("trace"),
    type: codeOf(poolValidatorEventTypes, type),
    amount: 4n,
    balance_delta: 4n,
    balance_before: 6n,
    balance_after: 10n,
    validator_reward_share: 4000,
    ...special,
  });
}
