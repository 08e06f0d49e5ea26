import SQL from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { flatten } from "../../shared/methods/define.js";
import { isLong, sized, variants } from "../helpers/effort.js";
import { indexRegistry } from "../helpers/http/index-app.js";
import { indexOfSuite } from "../helpers/http/index-of-suite.js";
import { databaseKinds } from "../helpers/store/databases.js";
import { accountOf, hashOf, storeRows } from "../helpers/store/rows.js";
import { sampleAccounts, sampleIndex } from "../helpers/store/sample-index.js";

const lists = ["blocks", "transactions", "messages", "traces"] as const;
const injections = variants(
  ["'; drop table transactions; --", "1) or (1=1", "\0"],
  [
    "' or '1'='1",
    "1; delete from blocks",
    "\\x00'::bytea) union select key, value from index_meta --",
    "$1",
    "%27%20or%201%3D1",
    "desc; drop table messages",
  ],
);
/** Every parameter of each list, except one that takes any text. */
const attacks = lists.flatMap((method) =>
  Object.keys(indexRegistry.v3[method].params.shape)
    .filter((name) => name !== "supported_action_types")
    .map((name) => [method, name] as const),
);

/** Values with the character 0: the parameter, or an entry of a list. */
const withZero = variants<unknown>(["\0", ["v1", "a\0b"]], ["v1\0"]);

const many = sized(1000, 10_000);
/** The entry of the address book for text that is no address. */
const unknown = { user_friendly: null, domain: null, interfaces: [] };

describe.each(databaseKinds)("bad input on %s", (_, open) => {
  const suite = indexOfSuite(open, (database) => storeRows(database, sampleIndex()));

  const call = async (method: string, params: object) => {
    const { json } = await suite.app.post("/jsonRPC", {
      jsonrpc: "2.0",
      id: 1,
      method: `v3.${method}`,
      params,
    });
    return json as { result?: Record<string, unknown[]>; error?: { code: number; message: string } };
  };

  it.each(attacks)("never becomes part of a statement: %s by %s", async (method, name) => {
    for (const text of injections) {
      const [status, body] = await suite.app.get<{ error: string }>(
        `${method}?${name}=${encodeURIComponent(text)}`,
      );
      expect([status, body.error], text).toEqual([422, expect.any(String)]);
      const { error } = await call(method, { [name]: text });
      expect(error, text).toMatchObject({ code: -32602 });
    }
  });

  it("has the character 0, which PostgreSQL refuses, in no statement", async () => {
    for (const [name, { params, examples, runsTransactions }] of flatten(indexRegistry)) {
      // They are kept in memory, for a key; and there is no chain here to run contracts of, or to read code from.
      if (name.startsWith("v3.debug.artifacts.") || name === "v3.debug.code" || runsTransactions) continue;
      const [example] = examples;
      for (const key of Object.keys(params.shape))
        for (const text of withZero) {
          // The long run also calls with what the parameters refuse.
          if (!isLong && !params.safeParse({ ...example?.params, [key]: text }).success) continue;
          const { error } = await call(name.slice(3), { ...example?.params, [key]: text });
          // Some texts reach no statement, such as invalid addresses.
          expect([name, key, error?.code ?? -32602]).toEqual([name, key, -32602]);
        }
    }
    for (const [path, name] of [
      ["actions?supported_action_types=v1,a%00", "supported_action_types"],
      ["traces?include_actions=1&supported_action_types=%00", "supported_action_types"],
      ["dns/records?domain=%00", "domain"],
    ])
      expect(await suite.app.get(path!)).toEqual([422, { error: expect.stringContaining(name!) }]);
  });

  it("may be an object that cannot be converted", async () => {
    for (const method of lists) {
      const { error } = await call(method, { limit: { toString: 1, valueOf: 2 } });
      expect(error).toMatchObject({ code: -32602 });
    }
  });

  it("leaves the tables as they were", async () => {
    const [row] = await suite.database.sql().query<{ transactions: bigint; blocks: bigint }>(SQL`
      select (select count(*) from transactions) as transactions, (select count(*) from blocks) as blocks`);
    expect(row).toEqual({ transactions: 180n, blocks: 18n });
  });

  it("is no address, and has an entry in the address book", async () => {
    for (const text of ["'; drop table blocks; --", "' or 1=1 --", "$1", "\\x00", "%00", "{1,2}", "NULL"]) {
      const path = `addressBook?address=${encodeURIComponent(text)}`;
      const [status, book] = await suite.app.get<Record<string, unknown>>(path);
      expect([status, Object.values(book)]).toEqual([200, text.split(",").map(() => unknown)]);
    }
  });

  const accounts = Array.from({ length: many - 1 }, (__, i) => `0:${i.toString(16).padStart(64, "0")}`);
  const hashes = Array.from({ length: many - 1 }, (__, i) => i.toString(16).padStart(64, "0"));
  const known = Buffer.from(hashOf("message 1")).toString("hex");

  it(`may be a list of ${many}, in which the known entries are found`, async () => {
    const [one] = sampleAccounts;
    const alone = await call("transactions", { account: one!.toRaw(), limit: 1000 });
    expect(alone.result!["transactions"]!.length).toBeGreaterThan(10);
    const among = await call("transactions", { account: [...accounts, one!.toRaw()], limit: 1000 });
    expect(among).toEqual(alone);
    const others = await call("transactions", { exclude_account: [...accounts, one!.toRaw()], limit: 1000 });
    expect(others.result!["transactions"]).toHaveLength(180 - alone.result!["transactions"]!.length);
    const found = await call("messages", { msg_hash: [...hashes, known] });
    expect(found.result!["messages"]).toHaveLength(1);
    const holders = await call("transactions", { msg_hash: [...hashes, known] });
    expect(holders.result!["transactions"]).toHaveLength(2);
    expect(await call("transactions", { hash: hashes })).toMatchObject({ result: { transactions: [] } });
    expect(await call("traces", { msg_hash: hashes })).toMatchObject({ result: { traces: [] } });
  });

  it.each([...lists, "transactionsByMasterchainBlock", "transactionsByMessage", "masterchainBlockShards"])(
    "is refused as a limit above that of %s",
    async (method) => {
      const query = `${method}?seqno=1&opcode=0&mc_seqno=1&limit`;
      for (const limit of [1001, 2147483647]) {
        const refused = [422, { error: `limit is not allowed: ${limit} > 1000` }];
        expect(await suite.app.get(`${query}=${limit}`)).toEqual(refused);
      }
      expect((await suite.app.get(`${query}=1000`))[0]).toBe(200);
      for (const limit of ["2147483648", "1e3", "10.0", "0x10"])
        expect((await suite.app.get(`${query}=${limit}`))[0]).toBe(422);
    },
  );

  it("may be an offset past the end", async () => {
    for (const method of [...lists, "transactionsByMessage"]) {
      const account = accountOf("a").toRaw();
      const path = `${method}?opcode=0&offset=2147483647&limit=1000`;
      expect((await suite.app.get(path))[0], method).toBe(200);
      expect((await suite.app.get(`${path}&account=${account}`))[0], method).toBe(200);
    }
  });
});
