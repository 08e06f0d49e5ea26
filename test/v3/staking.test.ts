import { describe, expect, it } from "vitest";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { stakeHolder } from "../helpers/elections/elections.js";
import { indexOfSuite } from "../helpers/http/index-of-suite.js";
import { checked, type V3Path, type V3Result } from "../helpers/http/v3-results.js";
import { databaseKinds } from "../helpers/store/databases.js";
import { nominatorEventRow, poolRow, poolValidatorEventRow } from "../helpers/store/made-pools.js";
import { bytesOf, hashOf, storeRows } from "../helpers/store/rows.js";

const [ann, ben, cleo] = [1, 2, 3].map((number) => stakeHolder(number, 0)) as [Who, Who, Who];
const [pool, other, gone, validator, second] = [11, 12, 13, 21, 22].map((number) => stakeHolder(number)) as [
  ...[Who, Who, Who, Who, Who],
];
type Who = ReturnType<typeof stakeHolder>;
const raw = (who: Who) => who.toRawUpper();

const ofPool = { pool: bytesOf(pool), nominator: bytesOf(ann) };
const ofValidator = { pool: bytesOf(pool), validator: bytesOf(validator) };
const ofPools = { validator_address: bytesOf(validator) };

const rows = {
  nominatorPools: [
    poolRow(other, [[ann, 2n, 1n]], ofPools),
    poolRow(
      pool,
      [
        [ann, 10n ** 20n, 0n],
        [ben, 0n, 50n],
      ],
      ofPools,
    ),
    poolRow(gone, [[ann, 9n, 9n]], { ...ofPools, destroyed: true }),
  ],
  nominatorPoolEvents: [
    nominatorEventRow(1n, "deposit", ofPool),
    nominatorEventRow(2n, "reward", { ...ofPool, amount: 10n }),
    nominatorEventRow(2n, "pending_deposit_activation", { ...ofPool, event_index: 1 }),
    nominatorEventRow(2n, "reward", { ...ofPool, event_index: 2, nominator: bytesOf(ben), amount: 1n }),
    nominatorEventRow(3n, "withdrawal_request", {
      ...{ ...ofPool, withdraw_request_after: true, amount: 0n, balance_delta: 0n },
    }),
    nominatorEventRow(4n, "reward", { ...ofPool, amount: -3n, balance_delta: -3n }),
    nominatorEventRow(5n, "deposit", { ...ofPool, pool: bytesOf(other) }),
  ],
  nominatorPoolValidatorEvents: [
    poolValidatorEventRow(1n, "deposit", { ...ofValidator, query_id: 5n }),
    poolValidatorEventRow(2n, "reward", { ...ofValidator, query_id: 6n, cycle_start: 1000 }),
    poolValidatorEventRow(3n, "penalty", { ...ofValidator, balance_delta: -4n }),
    poolValidatorEventRow(4n, "withdrawal", { ...ofValidator, pool: bytesOf(other) }),
    poolValidatorEventRow(5n, "reward", { ...ofValidator, validator: bytesOf(second) }),
  ],
};

describe.each(databaseKinds)("on %s", (_, open) => {
  const suite = indexOfSuite(open, (database) => storeRows(database, rows));

  const ask = async <Path extends V3Path>(path: Path, query = ""): Promise<V3Result<Path>> =>
    checked(path, await suite.app.result(`${path}?${query}`));
  const refusal = async (path: string) => {
    const [status, body] = await suite.app.get<{ error: string }>(`staking/nominatorPools/${path}`);
    return [status, body.error];
  };
  const call = async (method: string, params: object) =>
    (
      await suite.app.post("/jsonRPC", {
        jsonrpc: "2.0",
        id: 1,
        method: `v3.staking.nominatorPools.${method}`,
        params,
      })
    ).json;
  const badTimes = [422, "start_utime must be less than or equal to end_utime"];

  describe("v3.staking.nominatorPools.pool", () => {
    it("has the pool's state and its nominators", async () => {
      const found = await ask("staking/nominatorPools/pool", `pool=${pool}`);
      expect(found).toEqual({
        ...{
          stake_amount_sent: "77",
          validator_amount: String(10n ** 20n),
          validator_address: raw(validator),
        },
        ...{ validator_reward_share: 4000, state: 2, nominators_count: 2, max_nominators_count: 40 },
        ...{ min_validator_stake: "1000", min_nominator_stake: "100" },
        active_nominators: [
          { address: raw(ann), balance: String(10n ** 20n), pending_balance: "0" },
          { address: raw(ben), balance: "0", pending_balance: "50" },
        ],
        address_book: Object.fromEntries(
          [pool, validator, ann, ben].map((who) => [raw(who), expect.anything()]),
        ),
      });
      expect(await call("pool", { pool: String(pool) })).toMatchObject({ result: found });
    });

    it("is not found if it is no pool, or no longer one, and must be named", async () => {
      expect(await refusal(`pool?pool=${ann}`)).toEqual([404, "Pool not found"]);
      expect(await refusal(`pool?pool=${gone}`)).toEqual([404, "Pool not found"]);
      expect(await refusal("pool")).toEqual([422, "pool parameter is required"]);
      expect(await call("pool", {})).toMatchObject({ error: { message: "pool parameter is required" } });
    });
  });

  describe("v3.staking.nominatorPools.nominator", () => {
    it("lists the nominator's shares by pool", async () => {
      const found = await ask("staking/nominatorPools/nominator", `nominator=${ann}`);
      expect(found.nominator_pools).toEqual([
        { pool_address: raw(pool), balance: String(10n ** 20n), pending_balance: "0" },
        { pool_address: raw(other), balance: "2", pending_balance: "1" },
      ]);
      expect(Object.keys(found.address_book)).toEqual([pool, other].map(raw).sort());
      expect(await call("nominator", { nominator: String(ann) })).toMatchObject({ result: found });
    });

    it("is empty for others, and the nominator must be named", async () => {
      expect(await ask("staking/nominatorPools/nominator", `nominator=${cleo}`)).toEqual({
        nominator_pools: [],
        address_book: {},
      });
      expect(await refusal("nominator")).toEqual([422, "nominator parameter is required"]);
    });
  });

  describe("v3.staking.nominatorPools.nominatorEvents", () => {
    const path = "staking/nominatorPools/nominatorEvents";
    const named = async (query: string) =>
      (await ask(path, query)).events.map(({ tx_lt, type }) => `${tx_lt} ${type}`);

    it("lists the events of a pool, newest first, the last of a transaction first", async () => {
      expect(await named(`pool=${pool}`)).toEqual([
        ...["4 reward", "3 withdrawal_request", "2 reward", "2 pending_deposit_activation", "2 reward"],
        "1 deposit",
      ]);
      const { events, address_book } = await ask(path, `pool=${pool}&nominator=${ann}&limit=1&end_utime=35`);
      expect(events).toEqual([
        {
          ...{ tx_hash: bytesToBase64(hashOf("event 3")), tx_lt: "3", utime: 30, pool_address: raw(pool) },
          ...{ nominator_address: raw(ann), type: "withdrawal_request", amount: "0", balance_delta: "0" },
          ...{ pending_balance_delta: "0", balance_before: "20", balance_after: "25" },
          ...{ pending_balance_before: "3", pending_balance_after: "3" },
          ...{ withdraw_request_before: false, withdraw_request_after: true },
        },
      ]);
      expect(Object.keys(address_book)).toEqual([raw(ann), raw(pool)].sort());
    });

    it("filters by nominator and time, and echoes the times", async () => {
      expect(await named(`pool=${pool}&nominator=${ben}`)).toEqual(["2 reward"]);
      expect(await named(`pool=${pool}&start_utime=30&end_utime=40`)).toEqual([
        "4 reward",
        "3 withdrawal_request",
      ]);
      expect(await ask(path, `pool=${cleo}&start_utime=1&end_utime=2`)).toEqual({
        ...{ start_utime: 1, end_utime: 2, events: [], address_book: {} },
      });
    });

    it("answers JSON-RPC alike, and refuses malformed filters", async () => {
      const result = await ask(path, `pool=${other}`);
      expect(await call("nominatorEvents", { pool: String(other) })).toMatchObject({ result });
      expect(await refusal("nominatorEvents")).toEqual([422, "pool parameter is required"]);
      expect(await refusal(`nominatorEvents?pool=${pool}&start_utime=2&end_utime=1`)).toEqual(badTimes);
    });
  });

  describe("v3.staking.nominatorPools.nominatorRewards", () => {
    const path = "staking/nominatorPools/nominatorRewards";

    it("lists rewards with their sum", async () => {
      const found = await ask(path, `nominator=${ann}&pool=${pool}`);
      expect(found).toEqual({
        total_on_page: "7",
        rewards: [
          {
            ...{ utime: 40, reward: "-3", stake_before: "20", tx_lt: "4" },
            tx_hash: bytesToBase64(hashOf("event 4")),
          },
          {
            ...{ utime: 20, reward: "10", stake_before: "20", tx_lt: "2" },
            tx_hash: bytesToBase64(hashOf("event 2")),
          },
        ],
        address_book: { [raw(ann)]: expect.anything(), [raw(pool)]: expect.anything() },
      });
      const params = { nominator: String(ann), pool: String(pool) };
      expect(await call("nominatorRewards", params)).toMatchObject({ result: found });
    });

    it("filters by time, sums the page alone, and needs both accounts", async () => {
      const query = `nominator=${ann}&pool=${pool}`;
      expect(await ask(path, `${query}&end_utime=39`)).toMatchObject({ end_utime: 39, total_on_page: "10" });
      expect((await ask(path, `${query}&limit=1`)).total_on_page).toBe("-3");
      const missing = [422, "nominator and pool parameters are required"];
      expect(await refusal(`nominatorRewards?pool=${pool}`)).toEqual(missing);
      expect(await refusal(`nominatorRewards?nominator=${ann}`)).toEqual(missing);
    });
  });

  describe("v3.staking.nominatorPools.validatorEvents", () => {
    const path = "staking/nominatorPools/validatorEvents";
    const named = async (query: string) =>
      (await ask(path, query)).events.map(({ tx_lt, type }) => `${tx_lt} ${type}`);

    it("lists the events of a validator, of a pool, or of both", async () => {
      expect(await named(`validator=${validator}`)).toEqual([
        "4 withdrawal",
        "3 penalty",
        "2 reward",
        "1 deposit",
      ]);
      expect(await named(`pool=${pool}`)).toEqual(["5 reward", "3 penalty", "2 reward", "1 deposit"]);
      expect(await named(`validator=${validator}&pool=${other}`)).toEqual(["4 withdrawal"]);
      const { events } = await ask(path, `pool=${pool}&end_utime=30&limit=2`);
      const common = {
        ...{ pool_address: raw(pool), validator_address: raw(validator), amount: "4" },
        ...{ balance_before: "6", balance_after: "10", validator_reward_share: 4000 },
      };
      expect(events).toEqual([
        {
          ...{ tx_hash: bytesToBase64(hashOf("validator event 3")), tx_lt: "3", utime: 30, type: "penalty" },
          ...{ balance_delta: "-4", ...common },
        },
        {
          ...{ tx_hash: bytesToBase64(hashOf("validator event 2")), tx_lt: "2", utime: 20, type: "reward" },
          ...{ balance_delta: "4", query_id: "6", cycle_start: 1000, ...common },
        },
      ]);
    });

    it("filters by type, and needs one of both accounts", async () => {
      expect(await named(`pool=${pool}&type=reward`)).toEqual(["5 reward", "2 reward"]);
      expect(await named(`pool=${pool}&type=nothing`)).toEqual([]);
      expect(await refusal("validatorEvents")).toEqual([422, "validator or pool parameter is required"]);
      expect(await refusal(`validatorEvents?pool=${pool}&start_utime=2&end_utime=1`)).toEqual(badTimes);
      const result = await ask(path, `pool=${other}`);
      expect(await call("validatorEvents", { pool: String(other) })).toMatchObject({ result });
    });
  });

  describe("v3.staking.nominatorPools.validatorRewards", () => {
    it("lists rewards and penalties with their sum, and needs both accounts", async () => {
      const path = "staking/nominatorPools/validatorRewards";
      const found = await ask(path, `validator=${validator}&pool=${pool}`);
      expect(found).toMatchObject({
        total_on_page: "0",
        rewards: [
          { utime: 30, reward: "-4", balance_before: "6", tx_lt: "3" },
          { utime: 20, reward: "4", cycle_start: 1000, query_id: "6" },
        ],
      });
      expect(found.rewards).toHaveLength(2);
      const params = { validator: String(validator), pool: String(pool) };
      expect(await call("validatorRewards", params)).toMatchObject({ result: found });
      const missing = [422, "validator and pool parameters are required"];
      expect(await refusal(`validatorRewards?pool=${pool}`)).toEqual(missing);
    });
  });
});
