import { codeOf, nominatorEventTypes, poolValidatorEventTypes } from "../../../server/store/codes.js";
import type { RowOf } from "../../../server/store/declare/table.js";
import type {
  NominatorPoolEventRow,
  nominatorPools,
  PoolValidatorEventRow,
} from "../../../server/store/tables/nominator-pools.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesOf, hashOf } from "./rows.js";

type Share = readonly [who: Address, balance: bigint, pending: bigint];

export function poolRow(
  address: Address,
  shares: readonly Share[],
  special: Partial<RowOf<typeof nominatorPools.columns>> & { validator_address: Uint8Array },
): RowOf<typeof nominatorPools.columns> {
  return {
    address: bytesOf(address),
    first_seen_lt: 1n,
    last_transaction_lt: 5n,
    timestamp: 9,
    code_hash: hashOf("code"),
    data_hash: hashOf("data"),
    destroyed: false,
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
  };
}

/** An event of a transaction that is named by its lt. */
export function nominatorEventRow(
  tx_lt: bigint,
  type: (typeof nominatorEventTypes)[number],
  special: Partial<NominatorPoolEventRow> & Pick<NominatorPoolEventRow, "pool" | "nominator">,
): NominatorPoolEventRow {
  return {
    tx_hash: hashOf(`event ${tx_lt}`),
    tx_lt,
    utime: Number(tx_lt) * 10,
    mc_seqno: 1,
    trace_id: hashOf("trace"),
    event_index: 0,
    type: codeOf(nominatorEventTypes, type),
    amount: 5n,
    balance_delta: 5n,
    pending_balance_delta: 0n,
    balance_before: 20n,
    balance_after: 25n,
    pending_before: 3n,
    pending_after: 3n,
    withdraw_request_before: false,
    withdraw_request_after: false,
    ...special,
  };
}

/** The row of an event of a pool's validator. */
export function poolValidatorEventRow(
  tx_lt: bigint,
  type: (typeof poolValidatorEventTypes)[number],
  special: Partial<PoolValidatorEventRow> & Pick<PoolValidatorEventRow, "pool" | "validator">,
): PoolValidatorEventRow {
  return {
    tx_hash: hashOf(`validator event ${tx_lt}`),
    tx_lt,
    utime: Number(tx_lt) * 10,
    mc_seqno: 1,
    trace_id: hashOf("trace"),
    type: codeOf(poolValidatorEventTypes, type),
    amount: 4n,
    balance_delta: 4n,
    balance_before: 6n,
    balance_after: 10n,
    validator_reward_share: 4000,
    ...special,
  };
}
