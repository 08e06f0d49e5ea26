import type { Handlers } from "../../../shared/methods/define.js";
import type { stakingMethods } from "../../../shared/methods/v3/staking.js";
import type { Address } from "../../../shared/values/address.js";
import { foundIn } from "../../../shared/values/lookups.js";
import { ServiceError } from "../../errors.js";
import { type IndexDeps, withAddressBook } from "../../present/v3/answer-extras.js";
import { addressToBytes } from "../../store/address-bytes.js";
import {
  listNominatorEvents,
  listNominatorRewards,
  listPoolValidatorEvents,
  listPoolValidatorRewards,
  readPool,
  readPoolsOf,
} from "../../store/queries/staking/nominator-pools.js";
import { echoedTimes } from "../input/echoed-times.js";

export const stakingHandlers: Handlers<typeof stakingMethods, IndexDeps> = {
  staking: {
    nominatorPools: {
      pool: ({ pool }, { index, book }, call) =>
        index.read(call, async (queries) => {
          const found = await readPool(queries, addressToBytes(pool));
          if (!found) throw new ServiceError("absent", "Pool not found");
          const nominators = found.active_nominators.map(({ address }) => address);
          const shown = [pool.toRawUpper(), found.validator_address, ...nominators];
          return withAddressBook(found, shown, { queries, call, book });
        }),

      nominator: ({ nominator }, { index, book }, call) =>
        index.read(call, async (queries) => {
          const pools = await readPoolsOf(queries, addressToBytes(nominator));
          const raw = nominator.toRawUpper();
          const nominator_pools = pools.map(({ pool_address, active_nominators }) => {
            // The list only has pools with this nominator.
            const { balance, pending_balance } = foundIn(active_nominators, ({ address }) => address === raw);
            return { pool_address, balance, pending_balance };
          });
          const shown = nominator_pools.map((each) => each.pool_address);
          return withAddressBook({ nominator_pools }, shown, { queries, call, book });
        }),

      nominatorEvents: (params, { index, book }, call) =>
        index.read(call, async (queries) => {
          const events = await listNominatorEvents(queries, {
            ...params,
            pool: addressToBytes(params.pool),
            nominator: bytesOf(params.nominator),
          });
          const shown = events.flatMap((event) => [event.pool_address, event.nominator_address]);
          return withAddressBook({ ...echoedTimes(params), events }, shown, { queries, call, book });
        }),

      nominatorRewards: (params, { index, book }, call) =>
        index.read(call, async (queries) => {
          const { nominator, pool } = params;
          const rewards = await listNominatorRewards(queries, {
            ...params,
            pool: addressToBytes(pool),
            nominator: addressToBytes(nominator),
          });
          const answer = { ...echoedTimes(params), total_on_page: totalOf(rewards), rewards };
          const shown = [nominator.toRawUpper(), pool.toRawUpper()];
          return withAddressBook(answer, shown, { queries, call, book });
        }),

      validatorEvents: (params, { index, book }, call) =>
        index.read(call, async (queries) => {
          const events = await listPoolValidatorEvents(queries, {
            ...params,
            validator: bytesOf(params.validator),
            pool: bytesOf(params.pool),
          });
          const shown = events.flatMap((event) => [event.pool_address, event.validator_address]);
          return withAddressBook({ ...echoedTimes(params), events }, shown, { queries, call, book });
        }),

      validatorRewards: (params, { index, book }, call) =>
        index.read(call, async (queries) => {
          const { validator, pool } = params;
          const rewards = await listPoolValidatorRewards(queries, {
            ...params,
            validator: addressToBytes(validator),
            pool: addressToBytes(pool),
          });
          const answer = { ...echoedTimes(params), total_on_page: totalOf(rewards), rewards };
          const shown = [validator.toRawUpper(), pool.toRawUpper()];
          return withAddressBook(answer, shown, { queries, call, book });
        }),
    },
  },
};

function bytesOf(address: Address | undefined): Uint8Array | undefined {
  return address && addressToBytes(address);
}

function totalOf(rewards: readonly { reward: string }[]): string {
  return String(rewards.reduce((sum, { reward }) => sum + BigInt(reward), 0n));
}
