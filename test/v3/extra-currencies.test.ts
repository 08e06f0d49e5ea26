import { expect, it, onTestFinished } from "vitest";
import { type LegacyDeps, legacyHandlers } from "../../server/methods/v3/legacy.js";
import { implement } from "../../server/rpc/bind.js";
import { accountStatuses, codeOf } from "../../server/store/codes.js";
import { IndexReader } from "../../server/store/reads/index-reader.js";
import { legacyMethods } from "../../shared/methods/v3/legacy.js";
import { noCurrencies } from "../../shared/ton/tlb/currency-collection.js";
import { startApp } from "../helpers/http/app.js";
import { describeDatabases } from "../helpers/store/describe-databases.js";
import { accountOf, bytesOf, hashOf, storeRows } from "../helpers/store/rows.js";

const amounts = { "239": "666666666666", "100": "1" };

const ofIndex = accountOf("a");
const ofChain = accountOf("b");

/** Only the account is read from the chain. */
const reader = {
  last: {},
  account: async () => ({
    shardBlock: {},
    balance: 5n,
    extraCurrencies: Object.entries(amounts).reduce(
      (extra, [id, amount]) => extra.set(Number(id), BigInt(amount)),
      noCurrencies.extra,
    ),
    lastTransaction: { lt: 0n, hash: new Uint8Array(32) },
    status: "uninitialized",
  }),
};

describeDatabases("v3.addressInformation", (fresh) => {
  it("has the amounts of extra currencies, from the index and from the chain", async () => {
    const database = await fresh();
    const row = {
      hash: hashOf("state"),
      balance: 5n,
      account_status: codeOf(accountStatuses, "uninit"),
      timestamp: 100,
    };
    const plain = accountOf("c");
    await storeRows(database, {
      latestAccountStates: [
        { ...row, account: bytesOf(ofIndex), balance_extra_currencies: amounts },
        { ...row, account: bytesOf(plain) },
      ],
    });
    const index = new IndexReader();
    index.connect(database.sql({ statementTimeoutMs: 120_000 }));
    const deps = { index, reader, isIndexLate: () => false } as unknown as LegacyDeps;
    const implementations = { v3: implement(legacyHandlers, deps) };
    const app = await startApp({ registry: { v3: legacyMethods }, implementations });
    onTestFinished(() => app.close());
    const ask = async (query: string) => (await app.ask(`/api/v3/addressInformation?address=${query}`)).json;
    for (const query of [ofIndex.toRaw(), ofChain.toRaw(), `${ofChain.toRaw()}&use_v2=true`])
      expect(await ask(query)).toMatchObject({ balance: "5", extra_currencies: amounts });
    expect(await ask(plain.toRaw())).not.toHaveProperty("extra_currencies");
  });
});
