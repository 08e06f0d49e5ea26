import { expect, test } from "vitest";
import { externalMessage } from "../../../server/chain/external-message.js";
import { SentKeeper, type SentKeeperOptions } from "../../../server/indexer/traces/sent-keeper.js";
import type { Database } from "../../../server/store/database.js";
import { findSent } from "../../../server/store/queries/kept/sent-messages.js";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Address } from "../../../shared/values/address.js";
import { TestWallet } from "../../helpers/chain/devnet.js";
import { describeDatabases } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";

const day = 86_400_000;
const begin = 1_700_000_000_000;
const lifetimeMs = 660_000;

const message = (number: number, bytes = 4) =>
  serializeBoc(
    externalMessage(
      new Address(0, new Uint8Array(32).fill(1)),
      beginCell().storeUint(number, 32).storeBytes(new Uint8Array(bytes)).endCell(),
      undefined,
    ),
  );

const keeperOf = (database: Database, special: Partial<SentKeeperOptions> = {}) =>
  new SentKeeper({
    database: queriesOf(database),
    now: () => begin,
    lifetimeMs,
    onError: (error) => {
      throw error;
    },
    ...special,
  });

const count = async (database: Database) => {
  const rows = await queriesOf(database).query<{ n: number }>({
    text: "select count(*)::integer as n from tonwire_kept.sent_messages",
    values: [],
  });
  return rows[0]!.n;
};

const found = (database: Database, boc: Uint8Array) =>
  findSent(queriesOf(database), [parseBocRoot(boc).hash()]);

describeDatabases("Messages that were sent", (fresh) => {
  test("are kept once each, and found by either hash after a restart", async () => {
    const database = await fresh();
    const keeper = keeperOf(database);
    const messages = Array.from({ length: 1200 }, (_, number) => message(number));
    for (const boc of [...messages, ...messages.slice(0, 100)]) keeper.add(boc, begin);
    await keeper.close();
    expect(await count(database)).toBe(1200);
    for (const boc of messages.slice(0, 20)) {
      const [kept] = await found(database, boc);
      expect(kept).toMatchObject({ sent_at: begin, is_void: false });
      expect(Buffer.from(kept!.boc)).toEqual(Buffer.from(boc));
    }
    expect(await found(database, message(5000))).toEqual([]);
  });

  test("are void after a revert, except those sent again", async () => {
    const database = await fresh();
    const keeper = keeperOf(database);
    keeper.add(message(1), begin);
    keeper.add(message(2), begin);
    await keeper.close();
    keeper.revert();
    keeper.add(message(2), begin + 5);
    await keeper.close();
    expect(await found(database, message(1))).toMatchObject([{ is_void: true, sent_at: begin }]);
    expect(await found(database, message(2))).toMatchObject([{ is_void: false, sent_at: begin + 5 }]);
  });

  test("go a week after nothing can become of them any more", async () => {
    const database = await fresh();
    let now = begin;
    const keeperNow = () => keeperOf(database, { now: () => now });
    const wallet = new TestWallet("kept", "v4r2").wallet;
    const order = (validUntil: number) =>
      serializeBoc(wallet.order({ seqno: 0, validUntil, payments: [{ to: wallet.address, value: 1n }] }));
    const inTwoDays = order((begin + 2 * day) / 1000);
    const forEver = order(0xffffffff);
    const first = keeperNow();
    for (const boc of [message(1), inTwoDays, forEver]) first.add(boc, begin);
    await first.close();
    const after = async (ms: number) => {
      now = begin + ms;
      const keeper = keeperNow();
      keeper.add(message(2), now);
      await keeper.close();
      return [message(1), inTwoDays, forEver].map(async (boc) => (await found(database, boc)).length);
    };
    expect(await Promise.all(await after(7 * day))).toEqual([1, 1, 1]);
    expect(await Promise.all(await after(7 * day + lifetimeMs + 1))).toEqual([0, 1, 1]);
    expect(await Promise.all(await after(9 * day + 1))).toEqual([0, 0, 1]);
    expect(await Promise.all(await after(37 * day + 1))).toEqual([0, 0, 0]);
  });

  test("are bounded by number and by bytes, and the newest stay", async () => {
    const database = await fresh();
    const fill = async (bounds: SentKeeperOptions["bounds"]) => {
      const keeper = keeperOf(database, { bounds: bounds! });
      for (let number = 0; number < 300; number++) keeper.add(message(number, 100), begin + number);
      await keeper.close();
    };
    await fill({ messages: 50, bytes: 1_000_000 });
    expect(await count(database)).toBe(50);
    expect(await found(database, message(299, 100))).toHaveLength(1);
    expect(await found(database, message(249, 100))).toHaveLength(0);
    const { length } = message(0, 100);
    await fill({ messages: 1000, bytes: 20 * length });
    expect(await count(database)).toBe(20);
  });

  test("are dropped where the database cannot be written, without a failure for senders", async () => {
    const errors: Error[] = [];
    const failing = {
      query: () => Promise.reject(new Error("cannot execute INSERT in a read-only transaction")),
    } as never;
    const keeper = new SentKeeper({
      database: failing,
      now: () => begin,
      lifetimeMs,
      onError: (error) => errors.push(error),
    });
    for (let number = 0; number < 30_000; number++) keeper.add(message(1), begin);
    await keeper.close();
    expect(errors.length).toBeGreaterThan(0);
    expect(await count(await fresh())).toBe(0);
  });
});
