import SQL from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { dedustFactory, dedustPoolCodes, dedustV2PoolCodes } from "../../../server/contracts/dedust-pool.js";
import { keyOf } from "../../../server/indexer/hash-key.js";
import { Detection } from "../../../server/indexer/recognition/detection.js";
import { addressToBytes } from "../../../server/store/address-bytes.js";
import { accountStatuses, codeOf } from "../../../server/store/codes.js";
import { readActionContracts } from "../../../server/store/queries/traces/action-contracts.js";
import { dexes, poolTypes } from "../../../server/store/tables/dex-pools.js";
import type { Builder } from "../../../shared/ton/cells/builder.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import type { Address } from "../../../shared/values/address.js";
import { someAddress } from "../../helpers/index/detection.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { storeRows } from "../../helpers/store/rows.js";

// Pools are recognised by the hash of code that is not public, so the test provides the results of their get-methods.

const [pool, other, usd, eur] = [1, 2, 3, 4].map(someAddress) as [Address, Address, Address, Address];
const block = {
  workchain: -1,
  shard: -(2n ** 63n),
  seqno: 1,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
};

const int = (value: bigint): StackValue => ({ type: "int", value });
const slice = (builder: Builder): StackValue => ({ type: "slice", cell: builder.endCell() });
const address = (of: Address) => slice(beginCell().storeAddress(of));
const none = slice(beginCell().storeUint(0, 2));
const ton = slice(beginCell().storeUint(0, 4));
const jetton = (of: Address) =>
  slice(beginCell().storeUint(1, 4).storeInt(of.workchain, 8).storeBytes(of.hash));

/** Results by get-method; a method that is not there fails. */
type Answers = Readonly<
  Record<string, readonly StackValue[] | ((stack: readonly StackValue[]) => StackValue[])>
>;

const good = {
  get_assets: [ton, jetton(usd)],
  is_stable: [int(0n)],
  get_reserves: [int(1_000n), int(2n ** 200n)],
  get_trade_fee: [int(25n), int(10_000n)],
};
const factory = { get_pool_address: [address(pool)] };
const numbers = (count: number) => Array.from({ length: count }, (_, value) => int(BigInt(value)));
const goodV2 = {
  get_pool_data: [...numbers(3), none, address(usd), ...numbers(3), int(30n), int(7n), int(8n)],
};

/** The row recognised for a contract with this code and these methods. */
async function recognise(codeHash: string, answers: Answers, factoryAnswers: Answers = factory) {
  const code_hash = new Uint8Array(Buffer.from(codeHash, "hex"));
  const detection = new Detection({
    at: () => ({
      asIndexer: true,
      data: async () => undefined,
      codeHash: async () => code_hash,
      zoneOf: async () => undefined,
      async run(account, method, stack = []) {
        const found = (account.equals(dedustFactory) ? factoryAnswers : answers)[method];
        if (!found) return { exitCode: 11, stack: [], gasUsed: 0n } as never;
        return {
          exitCode: 0,
          stack: typeof found === "function" ? found(stack) : found,
          gasUsed: 0n,
        } as never;
      },
    }),
    libraries: async () => [],
  });
  const account = {
    address: pool,
    code: undefined,
    data: undefined,
    hasLibraries: false,
    timestamp: 5,
    lastTransaction: { hash: new Uint8Array(32), lt: 9n },
    state: {
      account: addressToBytes(pool),
      lt: 9n,
      hash: new Uint8Array(32),
      balance: 0n,
      account_status: codeOf(accountStatuses, "active"),
      code_hash,
      data_hash: new Uint8Array(32),
    },
  };
  const methods = new Map([[keyOf(code_hash), Object.keys(answers).map(methodId)]]);
  const queries = {
    query: () => Promise.reject(new Error("all methods are known")),
    isDivided: async () => false,
  };
  const found = await detection.recognise(queries, { block, accounts: [account], methods } as never);
  return found.map(({ table, row }) => ({ table: table.name, row }));
}

const common = {
  address: addressToBytes(pool),
  last_transaction_lt: 9n,
  timestamp: 5,
  data_hash: new Uint8Array(32),
  destroyed: false,
};
const [first] = dedustPoolCodes as [string];
const [firstV2] = dedustV2PoolCodes as [string];

const ofDedust = {
  ...{ dex: codeOf(dexes, "dedust"), factory: addressToBytes(dedustFactory) },
  ...{ asset_1: undefined, asset_2: addressToBytes(usd), reserve_1: 1_000n, reserve_2: 2n ** 200n },
  ...{ fee_numerator: 25n, fee_denominator: 10_000n },
};
const ofDedustV2 = {
  ...{ dex: codeOf(dexes, "dedust_v2"), factory: undefined },
  ...{ asset_1: undefined, asset_2: addressToBytes(usd), reserve_1: 7n, reserve_2: 8n },
  ...{ fee_numerator: 30n, fee_denominator: 10_000n },
};

it.each([
  ...dedustPoolCodes.map((code) => ["its code and its factory", code, good, factory, ofDedust] as const),
  ...dedustV2PoolCodes.map((code) => ["its code alone", code, goodV2, {}, ofDedustV2] as const),
])("A pool of DeDust is recognised by %s: %s", async (_, codeHash, answers, factoryAnswers, facts) => {
  const code_hash = new Uint8Array(Buffer.from(codeHash, "hex"));
  const row = { ...common, code_hash, pool_type: codeOf(poolTypes, "volatile"), ...facts };
  expect(await recognise(codeHash, answers, factoryAnswers)).toEqual([{ table: "dex_pools", row }]);
});

describe("A pool of DeDust", () => {
  it("is asked of the factory by its kind and its assets", async () => {
    const asked: unknown[] = [];
    const get_pool_address = (stack: readonly StackValue[]) => {
      asked.push(...stack);
      return [address(pool)];
    };
    const stable = { ...good, is_stable: [int(-1n)], get_assets: [jetton(eur), ton] };
    const [found] = await recognise(first, stable, { get_pool_address });
    expect(found!.row["pool_type"]).toBe(codeOf(poolTypes, "stable"));
    expect(asked).toEqual([int(1n), jetton(eur), ton]);
  });

  it.each<[string, Answers, Answers?]>([
    ["the factory has another pool", good, { get_pool_address: [address(other)] }],
    ["there is no factory", good, {}],
    ["a method fails", { ...good, get_reserves: () => [] }],
    ["an asset is of another kind", { ...good, get_assets: [ton, slice(beginCell().storeUint(2, 4))] }],
    ["an asset ends early", { ...good, get_assets: [ton, slice(beginCell().storeUint(1, 4))] }],
    ["an asset is a cell", { ...good, get_assets: [ton, { type: "cell", cell: beginCell().endCell() }] }],
    ["there is one asset", { ...good, get_assets: [ton] }],
    ["the fee has no denominator", { ...good, get_trade_fee: [int(25n)] }],
  ])("is not recognised if %s", async (_, answers, factoryAnswers) => {
    expect(await recognise(first, answers, factoryAnswers)).toEqual([]);
  });

  it("is not recognised by its methods alone", async () => {
    expect(await recognise("AB".repeat(32), good)).toEqual([]);
    expect(await recognise("AB".repeat(32), goodV2)).toEqual([]);
    expect(await recognise(firstV2, good)).toEqual([]);
  });
});

describe("A pool of DeDust's second version", () => {
  it.each<[string, StackValue[]]>([
    ["an asset is no address", [...numbers(11)]],
    ["values are missing", goodV2.get_pool_data.slice(0, 10)],
    ["an asset has a third bit", goodV2.get_pool_data.with(3, slice(beginCell().storeUint(0, 3)))],
  ])("is not recognised if %s", async (_, get_pool_data) => {
    expect(await recognise(firstV2, { get_pool_data })).toEqual([]);
  });
});

describeDatabase("Pools that actions name", (fresh) => {
  it("are read by address", async () => {
    const database = await fresh();
    const found = await recognise(first, good);
    const row = { ...found[0]!.row, first_seen_lt: 1n };
    await storeRows(database, { dexPools: [row] } as never);
    const addresses = [pool, other, usd].map(addressToBytes);
    expect(await readActionContracts(queriesOf(database), addresses)).toEqual([
      {
        kind: "dexPool",
        record: { address: pool.toRawUpper(), dex: "dedust", asset_1: null, asset_2: usd.toRawUpper() },
      },
    ]);
  });

  it("are nominator pools by their code", async () => {
    const database = await fresh();
    const hash = new Uint8Array(Buffer.from("mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=", "base64"));
    const state = (of: Address, code_hash: Uint8Array) => ({
      account: addressToBytes(of),
      hash: new Uint8Array(32),
      balance: 0n,
      account_status: codeOf(accountStatuses, "active"),
      timestamp: 5,
      code_hash,
    });
    await storeRows(database, {
      latestAccountStates: [state(pool, hash), state(other, new Uint8Array(32))],
    } as never);
    const queries = queriesOf(database);
    expect(await readActionContracts(queries, [pool, other, usd].map(addressToBytes))).toEqual([
      {
        kind: "ofKnownCode",
        record: { address: pool.toRawUpper(), codeHash: "mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=" },
      },
    ]);
    expect(await queries.query(SQL`select count(*) as accounts from latest_account_states`)).toEqual([
      { accounts: 2n },
    ]);
  });
});
