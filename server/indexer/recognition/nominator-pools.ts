import { UnexpectedAnswer } from "../../../shared/ton/contracts/get-method.js";
import { type NominatorPool, readNominatorPool } from "../../contracts/nominator-pool.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { tables } from "../../store/tables/all-tables.js";
import type { PoolMember } from "../../store/tables/nominator-pools.js";
import { type Detector, detector } from "./detector.js";

/**
 * Nominator pools of these codes, upper-case hex. Reads their storage, which has the same data as their get-methods.
 */
export function nominatorPool(codeHashes: readonly string[]): Detector {
  return detector({
    table: tables.nominatorPools,
    versions: codeHashes.map((codeHash) => ({
      needs: ["list_nominators"],
      codeHash,
      async read(contracts, address) {
        const data = await contracts.data(address);
        if (!data) throw new UnexpectedAnswer(`the pool ${address} has no data`);
        return poolColumns(readNominatorPool(data));
      },
    })),
  });
}

function poolColumns(pool: NominatorPool) {
  return {
    state: pool.state,
    nominators_count: pool.nominatorsCount,
    stake_amount_sent: pool.stakeAmountSent,
    validator_amount: pool.validatorAmount,
    validator_address: addressToBytes(pool.validator),
    validator_reward_share: pool.validatorRewardShare,
    max_nominators_count: pool.maxNominatorsCount,
    min_validator_stake: pool.minValidatorStake,
    min_nominator_stake: pool.minNominatorStake,
    nominators: pool.nominators.map(({ address }) => addressToBytes(address)),
    members: pool.nominators.map(
      ({ address, balance, pendingBalance }): PoolMember => ({
        address: address.toRawUpper(),
        balance: String(balance),
        pending_balance: String(pendingBalance),
      }),
    ),
  };
}
