import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Payment } from "../../server/contracts/wallet-order.js";
import { Jetton, jettonTransferBody } from "../../server/devnet/story/contracts/jetton.js";
import type { Action } from "../../shared/schema/v3/actions.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { type LiteApi, LiteError } from "../../shared/ton/lite/lite-api.js";
import { Address } from "../../shared/values/address.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { variants } from "../helpers/effort.js";
import { checked, type V3Path } from "../helpers/http/v3-results.js";
import { classifier } from "../helpers/index/classifier.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { databaseKinds, type FreshDatabase } from "../helpers/store/databases.js";
import { sharedStory } from "../helpers/stories/shared-story.js";
import { type StoryApp, startStoryApp } from "../helpers/stories/story-app.js";
import { storyIndex } from "../helpers/stories/story-index.js";

const encoded = encodeURIComponent;
const receiver = new Address(0, new Uint8Array(32).fill(9));

/** The same chain, where something happens before each read of it. */
function interruptedApi(
  api: LiteApi,
  before: (running: Iterable<Promise<unknown>>) => Promise<unknown> | undefined,
): LiteApi {
  const running = new Set<Promise<unknown>>();
  return new Proxy(api, {
    get:
      (_, name: keyof LiteApi) =>
      async (...args: never[]) => {
        const interruption = before(running);
        if (interruption) await interruption;
        const read = (api[name] as (...args: never[]) => Promise<unknown>)(...args);
        running.add(read);
        return read.finally(() => running.delete(read));
      },
  });
}

describe.each(databaseKinds)("messages that wait for a block, on %s", (_, open) => {
  let devnet: Awaited<ReturnType<typeof sharedStory>>;
  let fresh: FreshDatabase;
  let app: StoryApp;
  const wallet = new TestWallet("pending", "v4r2");
  beforeAll(async () => {
    devnet = await sharedStory();
    await devnet.controls.faucet({ workchain: 0, id: wallet.address.hash }, 50n * ton);
    await devnet.controls.faucet(
      { workchain: 0, id: new TestWallet("gone", "v4r2").address.hash },
      50n * ton,
    );
    await devnet.controls.mine(3);
    fresh = await open(storyIndex);
    await indexAll(fresh.database, devnet.api, { events: devnet.events });
    app = await startStoryApp(devnet, fresh.database);
  });
  afterAll(async () => {
    await app.close();
    await fresh.close();
    await devnet.close();
  });

  const ask = async <Path extends V3Path>(path: Path, query: string) =>
    checked(path, await app.v3(`${path}?${query}`));

  const own = wallet.address.toRawUpper();
  const order = { to: receiver, value: ton, bounce: false };
  const nothing = { traces: [], address_book: {}, metadata: {} };

  describe("v3.pendingTraces", () => {
    it("answers nothing while no message waits", async () => {
      expect(await ask("pendingTraces", `account=${own}`)).toEqual(nothing);
      expect(await ask("pendingTransactions", `account=${own}`)).toEqual({
        transactions: [],
        address_book: {},
      });
      const { actions } = await ask("pendingActions", `account=${own}`);
      expect(actions).toEqual([]);
    });

    it("refuses a call without account and message", async () => {
      const traces = await app.ask("/api/v3/pendingTraces");
      expect([traces.status, traces.json]).toEqual([
        422,
        { error: "account or ext_msg_hash should be specified" },
      ]);
    });

    it("shows emulated transactions, then those of blocks, until the index has them", async () => {
      const boc = Buffer.from(wallet.pay({ to: receiver, value: 2n * ton, bounce: false })).toString(
        "base64",
      );
      const sent = await app.post("/api/v3/message", { boc });
      const { message_hash_norm: id } = sent.json as { message_hash_norm: string };

      const { traces } = await ask("pendingTraces", `ext_msg_hash=${encoded(id)}`);
      expect(traces).toMatchObject([
        {
          trace_id: id,
          external_hash: id,
          trace_info: { trace_state: "pending", transactions: 2, messages: 2, pending_messages: 0 },
          is_incomplete: false,
          actions: [
            { type: "contract_deploy", details: { destination: own } },
            { type: "ton_transfer", details: { source: own, value: (2n * ton).toString() } },
          ],
        },
      ]);
      const [trace] = traces;
      const [first, second] = trace!.transactions_order!.map((hash) => trace!.transactions![hash]!);
      expect(first).toMatchObject({
        account: own,
        mc_block_seqno: 0,
        trace_external_hash: id,
        emulated: true,
        finality: "pending",
        description: { type: "ord", aborted: false, compute_ph: { success: true } },
      });
      expect(second).toMatchObject({
        account: receiver.toRawUpper(),
        in_msg: { value: (2n * ton).toString() },
      });
      expect(second!.account_state_after.balance).toBe((2n * ton).toString());
      expect(trace!.trace).toMatchObject({ tx_hash: first!.hash, children: [{ tx_hash: second!.hash }] });

      const { transactions } = await ask("pendingTransactions", `account=${receiver.toRawUpper()}`);
      expect(transactions).toEqual([second]);
      expect((await ask("pendingTransactions", `trace_id=${encoded(id)}`)).transactions).toEqual([
        first,
        second,
      ]);
      expect((await ask("pendingTraces", `account=${own}`)).traces).toEqual(traces);

      // In a block, but not in the index: actual transactions replace the expected ones.
      await devnet.controls.mine(3);
      const confirmed = await ask("pendingTraces", `ext_msg_hash=${encoded(id)}`);
      expect(confirmed.traces).toMatchObject([
        { external_hash: id, trace_info: { trace_state: "pending", transactions: 2, pending_messages: 0 } },
      ]);
      const [real] = confirmed.traces;
      const happened = real!.transactions_order!.map((hash) => real!.transactions![hash]!);
      for (const [index, transaction] of happened.entries())
        expect(transaction).toMatchObject({
          account: [own, receiver.toRawUpper()][index],
          emulated: false,
          finality: "confirmed",
          mc_block_seqno: 0,
          trace_id: happened[0]!.hash,
          trace_external_hash: id,
        });
      expect(happened[0]!.in_msg).toEqual(first!.in_msg);
      expect(happened[1]!.account_state_after.balance).toBe((2n * ton).toString());
      expect(real).toMatchObject({ trace_id: happened[0]!.hash, trace: { tx_hash: happened[0]!.hash } });
      for (const name of [id, happened[0]!.hash])
        expect((await ask("pendingTransactions", `trace_id=${encoded(name)}`)).transactions).toEqual(
          happened,
        );

      await indexAll(fresh.database, devnet.api, { events: devnet.events });
      const done = await ask("traces", `msg_hash=${encoded(id)}`);
      expect(done.traces).toMatchObject([
        { trace_id: real!.trace_id, trace_info: { trace_state: "complete", transactions: 2 } },
      ]);
      const indexed = done.traces[0]!.transactions!;
      for (const transaction of happened) {
        const { trace_external_hash: _, ...shown } = transaction;
        const { mc_block_seqno, account_state_before } = indexed[transaction.hash]!;
        expect(account_state_before.hash).toBe(shown.account_state_before.hash);
        const learned = { mc_block_seqno, account_state_before, finality: "finalized" };
        expect(indexed[transaction.hash]).toEqual({ ...shown, ...learned });
      }
      for (const asked of [`ext_msg_hash=${encoded(id)}`, `account=${own}`])
        expect(await ask("pendingTraces", asked)).toEqual(nothing);
      expect((await ask("pendingTransactions", `account=${own}`)).transactions).toEqual([]);
    });

    it("shows the rest of a trace while the index has only its start", async () => {
      const inMasterchain = new Address(-1, new Uint8Array(32).fill(8));
      const pay = async (bounce: boolean) => {
        const boc = Buffer.from(wallet.pay({ to: inMasterchain, value: ton, bounce })).toString("base64");
        const sent = await app.post("/api/v3/message", { boc });
        return (sent.json as { message_hash_norm: string }).message_hash_norm;
      };
      await pay(false);
      await devnet.controls.mine(2);
      await indexAll(fresh.database, devnet.api, { events: devnet.events });
      const id = await pay(true);
      const finalities = async () => {
        const { traces } = await ask("pendingTraces", `ext_msg_hash=${encoded(id)}`);
        return traces.map(({ transactions, transactions_order }) =>
          transactions_order!.map((hash) => transactions![hash]!.finality),
        );
      };
      const waiting = async () =>
        (await ask("pendingTransactions", `trace_id=${encoded(id)}`)).transactions.map(
          ({ account }) => account,
        );
      expect(await finalities()).toEqual([["pending", "pending", "pending"]]);

      // The message returned from the masterchain is received a block later.
      await devnet.controls.mine(1);
      expect(await finalities()).toEqual([["confirmed", "confirmed", "pending"]]);
      expect(await waiting()).toEqual([own, inMasterchain.toRawUpper(), own]);
      await indexAll(fresh.database, devnet.api, { events: devnet.events });
      expect(await finalities()).toEqual([["finalized", "finalized", "pending"]]);
      expect(await waiting()).toEqual([own]);

      await devnet.controls.mine(2);
      expect(await finalities()).toEqual([["finalized", "finalized", "confirmed"]]);
      await indexAll(fresh.database, devnet.api, { events: devnet.events });
      expect([await finalities(), await waiting()]).toEqual([[], []]);
    });
  });

  describe("consecutive orders of a wallet", () => {
    it("are shown one behind the other, then as they happened", async () => {
      const ids: string[] = [];
      for (const value of [1n, 2n, 3n]) {
        const boc = Buffer.from(wallet.pay({ to: receiver, value, bounce: false })).toString("base64");
        const sent = await app.post("/api/v3/message", { boc });
        ids.push((sent.json as { message_hash_norm: string }).message_hash_norm);
      }
      const firstOf = async (id: string) => {
        const { traces } = await ask("pendingTraces", `ext_msg_hash=${encoded(id)}`);
        const [{ transactions, transactions_order, trace_info }] = traces as [(typeof traces)[number]];
        expect(trace_info.transactions).toBe(2);
        return transactions![transactions_order![0]!]!;
      };
      const chained = async (finality: string) => {
        // The last one first, because the earlier ones are not requested by name.
        const last = await firstOf(ids[2]!);
        const shown = [await firstOf(ids[0]!), await firstOf(ids[1]!), last];
        expect(shown.map((each) => each.finality)).toEqual(Array(3).fill(finality));
        return shown;
      };
      const expected = await chained("pending");
      expect(expected.map((each) => each.account_state_before.hash).slice(1)).toEqual(
        expected.map((each) => each.account_state_after.hash).slice(0, 2),
      );
      expect((await ask("pendingTraces", `account=${own}`)).traces).toHaveLength(3);
      await devnet.controls.mine(1);
      expect((await chained("confirmed")).map(({ in_msg }) => in_msg!.hash)).toEqual(
        expected.map(({ in_msg }) => in_msg!.hash),
      );
      await indexAll(fresh.database, devnet.api, { events: devnet.events });
      expect(await ask("pendingTraces", `account=${own}`)).toEqual(nothing);
    });
  });

  describe("v3.pendingActions", () => {
    it("refuses a call without account and message", async () => {
      const { status, json } = await app.ask("/api/v3/pendingActions");
      expect([status, json]).toEqual([422, { error: "account or ext_msg_hash should be specified" }]);
    });

    it("shows expected actions, then actual ones, until they are indexed", async () => {
      const boc = Buffer.from(wallet.pay({ to: receiver, value: ton, bounce: false })).toString("base64");
      const sent = await app.post("/api/v3/message", { boc });
      const { message_hash_norm: id } = sent.json as { message_hash_norm: string };
      const query = `account=${receiver.toRawUpper()}&include_transactions=true`;
      const { actions, address_book } = await ask("pendingActions", query);
      expect(actions).toMatchObject([
        {
          type: "ton_transfer",
          success: true,
          finality: "pending",
          trace_external_hash_norm: id,
          details: { source: own, destination: receiver.toRawUpper(), value: ton.toString() },
        },
      ]);
      expect(actions[0]!.accounts).toContain(own);
      expect(address_book).toHaveProperty(own);
      expect(actions[0]!.transactions_full!.map(({ hash }) => hash).sort()).toEqual(
        [...actions[0]!.transactions].sort(),
      );
      expect((await ask("pendingActions", `ext_msg_hash=${encoded(id)}`)).actions).toHaveLength(1);
      const stranger = new Address(0, new Uint8Array(32).fill(0x77)).toRawUpper();
      expect((await ask("pendingActions", `account=${stranger}`)).actions).toEqual([]);

      await devnet.controls.mine(3);
      const confirmed = (await ask("pendingActions", `ext_msg_hash=${encoded(id)}`)).actions;
      expect(confirmed).toMatchObject([{ type: "ton_transfer", finality: "confirmed" }]);
      await indexAll(fresh.database, devnet.api, { events: devnet.events });
      expect((await ask("pendingActions", `ext_msg_hash=${encoded(id)}`)).actions).toEqual([]);
    });
  });

  describe("v3.pendingActions and contracts that a message deploys", () => {
    it("knows a first transfer of jettons to an owner, as it will be", async () => {
      const send = async (from: TestWallet, ...payments: Payment[]) => {
        const boc = Buffer.from(from.pay(...payments)).toString("base64");
        const { json } = await app.post("/api/v3/message", { boc });
        return encoded((json as { message_hash_norm: string }).message_hash_norm);
      };
      const { detection } = devnet;
      const index = async () => {
        await devnet.controls.mine(4);
        await indexAll(fresh.database, devnet.api, { events: devnet.events, detection, classifier });
      };
      const other = new TestWallet("pending, too", "v4r2");
      await devnet.controls.faucet({ workchain: 0, id: other.address.hash }, 50n * ton);
      const jetton = new Jetton(wallet.address, beginCell().storeUint(1, 8).endCell());
      const mint = { to: wallet.address, amount: 1000n, tons: ton / 10n, queryId: 1 };
      const body = jetton.mintBody(mint);
      await send(wallet, { to: jetton.address, value: ton, init: jetton.init, bounce: false, body });
      await index();
      const transfer = (to: Address, amount: bigint): Payment => ({
        to: jetton.walletOf(wallet.address),
        value: ton / 5n,
        body: jettonTransferBody({ to, amount, excessesTo: wallet.address, queryId: 2 }),
      });
      const others = [0x61, 0x62].map((byte) => new Address(0, new Uint8Array(32).fill(byte))) as [
        Address,
        Address,
      ];
      // Two messages that wait, one of which deploys two contracts.
      const ids = [
        await send(wallet, transfer(others[0], 1n), transfer(others[1], 2n)),
        await send(other, { to: receiver, value: ton, bounce: false }),
      ];
      const shown = ({ type, success, details }: Action) => [type, success, details];
      const pending = await Promise.all(
        ids.map(async (id) => (await ask("pendingActions", `ext_msg_hash=${id}`)).actions.map(shown)),
      );
      expect(
        pending[0]!.filter(([type]) => type === "jetton_transfer").map(([, , details]) => details),
      ).toEqual(
        expect.arrayContaining(
          others.map((to, at) =>
            expect.objectContaining({
              receiver: to.toRawUpper(),
              receiver_jetton_wallet: jetton.walletOf(to).toRawUpper(),
              asset: jetton.address.toRawUpper(),
              amount: String(at + 1),
            }),
          ),
        ),
      );
      await index();
      for (const [at, id] of ids.entries()) {
        const [trace] = (await ask("traces", `msg_hash=${id}&include_actions=true`)).traces;
        const texts = (actions: unknown[]) => actions.map((each) => JSON.stringify(each)).sort();
        expect(texts(trace!.actions!.map(shown))).toEqual(texts(pending[at]!));
      }
    });
  });

  describe("v3.pendingTransactions", () => {
    it("refuses a call without account and trace", async () => {
      const transactions = await app.ask("/api/v3/pendingTransactions");
      expect([transactions.status, transactions.json]).toEqual([
        422,
        { error: "at least 1 account address required" },
      ]);
    });

    it("follows the chain when it is reverted", async () => {
      const { id: before } = await devnet.controls.snapshot();
      const boc = Buffer.from(wallet.pay({ to: receiver, value: ton, bounce: false })).toString("base64");
      await app.post("/api/v3/message", { boc });
      await devnet.controls.mine(2);
      const states = async () =>
        (await ask("pendingTransactions", `account=${own}`)).transactions.map(({ finality }) => finality);
      expect(await states()).toEqual(["confirmed"]);
      await devnet.controls.revert(before);
      expect(await states()).toEqual([]);
      const again = await app.post("/api/v3/message", { boc });
      expect(again.status).toBe(200);
      expect(await states()).toEqual(["pending"]);
      const { transactions, code_book } = await ask("pendingTransactions", `account=${own}`);
      const code = transactions[0]!.account_state_after.code_hash!;
      expect(code_book).toEqual({ [code]: { interfaces: ["wallet_v4r2"] } });
      await devnet.controls.mine(2);
      expect(await states()).toEqual(["confirmed"]);
    });
  });

  it("are not shown while liteservers refuse to answer, and the refusal is", async () => {
    await devnet.controls.mine(1);
    await devnet.api.sendMessage({ body: new TestWallet("gone", "v4r2").pay(order) });
    let isReady = true;
    const api = interruptedApi(devnet.api, () =>
      isReady ? undefined : Promise.reject(new LiteError(651, "block is not applied")),
    );
    const app = await startStoryApp({ ...devnet, api }, fresh.database);
    onTestFinished(() => app.close());
    isReady = false;
    const refused = await app.ask(`/api/v3/pendingTraces?account=${receiver.toRawUpper()}`);
    expect([refused.status, refused.json]).toEqual([
      500,
      { error: "LITE_SERVER_NOTREADY: block is not applied" },
    ]);
    await devnet.controls.rollback(1);
  });

  describe("a chain that goes back while it is read", () => {
    const account = `account=${receiver.toRawUpper()}`;

    it.each(variants(["pendingTraces"], ["pendingTransactions", "pendingActions"]))(
      "is read again, without the messages that are gone: v3.%s",
      async (method) => {
        let [reads, interrupted] = [0, -1];
        let rollback: Promise<unknown> | undefined;
        // No read overlaps the rollback, so that each is of the chain before or after it.
        const api = interruptedApi(devnet.api, (running) => {
          if (reads++ === interrupted)
            rollback = Promise.allSettled(running).then(() => devnet.controls.rollback(1));
          return rollback;
        });
        const app = await startStoryApp({ ...devnet, api }, fresh.database);
        onTestFinished(() => app.close());
        while (reads > interrupted) {
          // No cache has anything of a new block.
          await devnet.controls.mine(1);
          await devnet.api.sendMessage({ body: new TestWallet("gone", "v4r2").pay(order) });
          [reads, interrupted] = [0, interrupted + 1];
          const { status, text } = await app.ask(`/api/v3/${method}?${account}`);
          expect([interrupted, status, text]).toEqual([interrupted, 200, expect.anything()]);
        }
        expect(interrupted).toBeGreaterThan(1);
        await devnet.controls.rollback(1);
      },
    );
  });
});
