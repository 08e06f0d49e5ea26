import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { externalMessage } from "../../server/chain/external-message.js";
import type { Payment } from "../../server/contracts/wallet-order.js";
import type { Devnet } from "../../server/devnet/devnet.js";
import type { WalletVersion } from "../../server/devnet/wallets/wallet.js";
import { SentKeeper } from "../../server/indexer/traces/sent-keeper.js";
import type { MessageStatus } from "../../shared/schema/v3/message-status.js";
import { parseBocRoot, serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { decode, encode } from "../../shared/ton/tlb/codec.js";
import { Message } from "../../shared/ton/tlb/message.js";
import { Address } from "../../shared/values/address.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { compile } from "../helpers/contracts/tolk.js";
import { sized } from "../helpers/effort.js";
import { checked, type V3Result } from "../helpers/http/v3-results.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { pseudoRandom } from "../helpers/pseudo-random.js";
import { type DatabaseKind, databaseKinds, type FreshDatabase } from "../helpers/store/databases.js";
import { type FailingPlaces, failingPlaces } from "../helpers/stories/failing-story.js";
import { sharedStory } from "../helpers/stories/shared-story.js";
import { type StoryApp, startStoryApp } from "../helpers/stories/story-app.js";
import { storyIndex } from "../helpers/stories/story-index.js";

const messages = sized(64, 200);
const always = 0xffffffff;
const path = "messageStatus";

/** What becomes of them. */
const outcomes = [
  "good: good",
  "throws and returns: compute 777",
  "throws and keeps: compute 777",
  "sends too much: action 37",
  "sends too much and returns: action 37",
  "runs out of gas: compute -14",
  "leaves an action out: good",
  "fails further on: compute 777",
  "too little for gas: good",
  "is taken for debts: compute no_gas",
  "is frozen: storage no_state",
  "is frozen: compute no_state",
  "to nobody: good",
  "to nobody and back: compute no_state",
  "more than the wallet has: left out 1",
  "expires: expired valid_until",
  "replaced: expired seqno",
  "acceptable: unknown acceptable",
  "ahead: unknown seqno_ahead",
  "no request: unknown unreadable",
  "of nobody: unknown no_account",
];

type Kind = "sent" | "expires" | "replaced" | "acceptable" | "ahead" | "no request" | "of nobody";
type Told = { kind: Kind; place?: string; boc: Uint8Array };
type Trace = V3Result<"traces">["traces"][number];
type Transaction = NonNullable<Trace["transactions"]>[string];

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const hashOf = (boc: Uint8Array) => base64(parseBocRoot(boc).hash());

/** The same message in another sender's layout. */
function repacked(boc: Uint8Array): Uint8Array {
  const message = decode(Message, parseBocRoot(boc));
  return serializeBoc(encode(Message, { ...message, bodyInRef: !message.bodyInRef }));
}

/** Orders of a wallet, with any seqno. */
class Sender {
  readonly own: TestWallet;
  seqno = 0;

  constructor(name: string, version: WalletVersion) {
    this.own = new TestWallet(name, version);
  }

  order(payment: Payment, { seqno = this.seqno, validUntil = always } = {}): Uint8Array {
    return serializeBoc(this.own.wallet.order({ seqno, validUntil, payments: [payment] }));
  }
}

/** Sends a story of messages; the last ones are never sent. */
async function tellMessages(devnet: Devnet, places: FailingPlaces, seed: number): Promise<Told[]> {
  const random = pseudoRandom(seed);
  const below = (limit: number) => Math.floor(random.next().value * limit);
  const versions = ["v3r2", "v4r2", "v5r1", "tg"] as const;
  const senders = versions.flatMap((version) => [0, 1].map((n) => new Sender(`${version} ${n}`, version)));
  const late = new Sender("late", "v4r2");
  for (const { own } of [...senders, late])
    await devnet.controls.setBalance({ workchain: 0, id: own.address.hash }, 1000n * ton);
  const names = Object.keys(places);
  const told: Told[] = [];
  const send = async (boc: Uint8Array) => {
    await devnet.api.sendMessage({ body: boc });
    return boc;
  };
  const pay = (place: string) => places[place]!(BigInt(2 + below(9)) * (ton / 10n));
  for (const sender of senders) {
    told.push({ kind: "sent", place: "good", boc: await send(sender.order(pay("good"))) });
    sender.seqno++;
  }
  await devnet.controls.mine(4);
  while (told.length < messages - 12) {
    if (told.length % 12 === 6) await devnet.controls.mine(4);
    const sender = senders[below(senders.length)]!;
    const lot = below(10);
    if (lot < 8) {
      const place = names[told.length % names.length]!;
      told.push({ kind: "sent", place, boc: await send(sender.order(pay(place))) });
      sender.seqno++;
    } else if (lot === 8) {
      const { now } = await devnet.controls.info();
      told.push({ kind: "expires", boc: await send(late.order(pay("good"), { validUntil: now + 5 })) });
      await devnet.controls.advanceTime(60);
      await devnet.controls.mine(1);
    } else {
      const boc = sender.order(pay("to nobody"), { seqno: below(sender.seqno) });
      told.push({ kind: "replaced", boc });
    }
  }
  await devnet.controls.mine(8);
  for (let n = 0; n < 3; n++) {
    const sender = senders[n]!;
    const nobody = new Address(0, new Uint8Array(32).fill(0x60 + n));
    const number = beginCell().storeUint(n, 8).endCell();
    told.push(
      { kind: "acceptable", boc: sender.order(pay("good")) },
      { kind: "ahead", boc: sender.order(pay("good"), { seqno: sender.seqno + 3 }) },
      { kind: "no request", boc: serializeBoc(externalMessage(sender.own.address, number, undefined)) },
      { kind: "of nobody", boc: serializeBoc(externalMessage(nobody, number, undefined)) },
    );
  }
  return told;
}

/** The failure of a transaction in traces, by the documented rule. */
function failureIn({ description }: Transaction, isFirst: boolean): string | undefined {
  const { compute_ph: compute, storage_ph: storage, action, aborted, bounce } = description;
  if (aborted && compute?.skipped) {
    if (compute.reason === "no_state" && !bounce) return undefined;
    if (compute.reason === "no_gas" && !bounce && storage?.storage_fees_due === undefined) return undefined;
    const isChanged = storage?.status_change !== "unchanged";
    return `${isChanged ? "storage" : "compute"} ${compute.reason}`;
  }
  if (compute && !compute.skipped && !compute.success) return `compute ${compute.exit_code}`;
  if (action && !action.success) return `action ${action.result_code}`;
  // An error after a commit.
  if (isFirst && compute && !compute.skipped && compute.exit_code > 1) return `compute ${compute.exit_code}`;
  if (isFirst && action && (action.skipped_actions ?? 0) > 0) return `left out ${action.skipped_actions}`;
  return undefined;
}

/** The failure of a status in the same form. */
function failureText({ phase, exit_code, skipped_reason, skipped_actions }: Failure): string {
  if (skipped_reason !== null) return `${phase} ${skipped_reason}`;
  if (phase === "action" && exit_code === 0) return `left out ${skipped_actions}`;
  return `${phase} ${exit_code}`;
}
type Completed = Extract<MessageStatus, { status: "completed" }>;
type Failure = Completed["failures"][number];

function expectOf(trace: Trace, status: Completed): void {
  const all = Object.values(trace.transactions!).sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1));
  const failed = all.flatMap((transaction) => {
    const text = failureIn(transaction, transaction.hash === trace.trace_id);
    return text === undefined ? [] : [{ text, transaction }];
  });
  expect(status).toMatchObject({
    trace_id: trace.trace_id,
    success: failed.length === 0,
    failures_total: failed.length,
    transactions: trace.trace_info.transactions,
  });
  expect(status.failure).toEqual(status.failures[0] ?? null);
  expect(status.failures.map((failure) => [failure.hash, failureText(failure)])).toEqual(
    failed.map(({ text, transaction }) => [transaction.hash, text]),
  );
  for (const [i, { transaction }] of failed.entries()) {
    const { account, lt, out_msgs, in_msg } = transaction;
    const returned = out_msgs.find(({ bounced }) => bounced);
    expect(status.failures[i]).toMatchObject({
      account,
      lt,
      opcode: in_msg?.opcode ?? null,
      refund: returned ? { account: returned.destination, value: returned.value } : null,
    });
  }
}

describe.each(databaseKinds as readonly DatabaseKind[])(
  "sent messages and their final outcomes, on %s",
  (_, open) => {
    const seed = 20_261;
    let devnet: Devnet;
    let fresh: FreshDatabase;
    let app: StoryApp;
    let told: Told[];
    const clock = { ms: 1_700_000_000_000 };
    beforeAll(async () => {
      devnet = await sharedStory();
      fresh = await open(storyIndex);
      app = await startStoryApp(devnet, fresh.database, { clock });
      told = await tellMessages(devnet, await failingPlaces(devnet.controls), seed);
      await indexAll(fresh.database, devnet.api, { events: devnet.events });
    }, 300_000);
    afterAll(async () => {
      await app.close();
      await fresh.close();
      await devnet.close();
    });

    const ofHash = async (hash: string) =>
      checked(path, await app.v3<MessageStatus>(`${path}?hash=${encodeURIComponent(hash)}`));
    const ofBoc = async (boc: Uint8Array) => {
      const { status, json } = await app.post(`/api/v3/${path}`, { boc: base64(boc) });
      expect(status).toBe(200);
      return checked(path, json);
    };

    describe("v3.messageStatus", () => {
      it(`says of ${messages} messages what their traces say, seed ${seed}`, async () => {
        expect(told).toHaveLength(messages);
        const seen = new Set<string>();
        for (const { kind, place, boc } of told) {
          const status = await ofBoc(boc);
          const { traces } = await app.v3<V3Result<"traces">>(
            `traces?msg_hash=${encodeURIComponent(hashOf(boc))}`,
          );
          expect(traces).toHaveLength(kind === "sent" ? 1 : 0);
          if (kind === "sent") {
            expect(status.status).toBe("completed");
            const { failure } = status as Completed;
            seen.add(`${place}: ${failure ? failureText(failure) : "good"}`);
            expectOf(traces[0]!, status as Completed);
          } else {
            const text = status.status === "unknown" || status.status === "expired" ? status.reason : "";
            seen.add(`${kind}: ${status.status} ${text}`);
          }
        }
        expect([...seen].sort()).toEqual([...outcomes].sort());
      });

      it("is the same by every hash of a message, and of every message of its trace", async () => {
        const sent = told.filter(({ kind }) => kind === "sent").slice(0, sized(2, 40));
        for (const { boc } of sent) {
          const status = (await ofBoc(boc)) as Completed;
          expect(status.message_hash).toBe(hashOf(boc));
          expect(await ofHash(status.message_hash)).toEqual(status);
          expect(await ofHash(status.message_hash_norm!)).toEqual(status);
          expect(await ofHash(Buffer.from(status.message_hash, "base64").toString("hex"))).toEqual(status);
          expect(await ofBoc(repacked(boc))).toEqual(status);
          const { traces } = await app.v3<V3Result<"traces">>(
            `traces?trace_id=${encodeURIComponent(status.trace_id!)}`,
          );
          for (const { in_msg, hash } of Object.values(traces[0]!.transactions!)) {
            const own = await ofHash(in_msg!.hash);
            const {
              transaction: _,
              block: __,
              mc_block_seqno: ___,
              message_hash_norm: norm,
              ...shared
            } = status;
            expect(own).toMatchObject({ ...shared, message_hash: in_msg!.hash, transaction: { hash } });
            if (in_msg!.source !== null) expect((own as Completed).message_hash_norm).toBeNull();
            expect(norm).not.toBeNull();
          }
        }
      });

      it("names the message that used a seqno, and when messages expired", async () => {
        for (const { kind, boc } of told) {
          if (kind !== "replaced" && kind !== "expires") continue;
          const status = (await ofBoc(boc)) as Extract<MessageStatus, { status: "expired" }>;
          if (kind === "expires") {
            expect(status).toMatchObject({ reason: "valid_until", replaced_by: null });
            expect(status.wallet.valid_until).toBeGreaterThan(0);
            continue;
          }
          const { replaced_by: user, wallet } = status;
          expect(wallet.next_seqno).toBeGreaterThan(wallet.seqno!);
          const other = told.find(({ boc: each }) => hashOf(each) === user!.message_hash)!;
          const { wallet: _, ...included } = { wallet: null, ...(await ofBoc(other.boc)) };
          expect(included).toMatchObject({ status: "completed", transaction: user!.transaction });
          expect(user!.transaction.account).toBe(wallet.account);
        }
      });

      it("answers unknown hashes as unknown, and reads only the index for them", async () => {
        const calls: unknown[] = [];
        const api = new Proxy(devnet.api, {
          get(lite, name) {
            calls.push(name);
            return Reflect.get(lite, name);
          },
        });
        const counted = await startStoryApp(Object.create(devnet, { api: { value: api } }), fresh.database);
        onTestFinished(() => counted.close());
        const begun = calls.length;
        const random = pseudoRandom(7);
        for (let n = 0; n < sized(5, 1000); n++) {
          const hash = base64(Uint8Array.from({ length: 32 }, () => 256 * random.next().value));
          expect(await counted.v3(`${path}?hash=${encodeURIComponent(hash)}`)).toEqual({
            status: "unknown",
            message_hash: hash,
            message_hash_norm: null,
            wallet: null,
            reason: "not_found",
          });
        }
        expect(calls.slice(begun)).toEqual([]);
        const { boc } = told.find(({ kind }) => kind === "sent")!;
        expect(await counted.v3(`${path}?hash=${encodeURIComponent(hashOf(boc))}`)).toEqual(await ofBoc(boc));
        expect(calls.slice(begun)).toEqual([]);
      });

      it("refuses input that is no message or hash", async () => {
        const ask = async (query: string) => {
          const { status, json } = await app.ask(`/api/v3/${path}?${query}`);
          return [status, (json as { error: string }).error];
        };
        const hash = "00".repeat(32);
        expect(await ask("")).toEqual([422, "hash or boc is required"]);
        expect(await ask(`hash=${hash}&boc=te6c`)).toEqual([422, "only one of hash, boc can be given"]);
        for (const bad of ["", "0", hash.slice(1), `${hash}0`, "g".repeat(64), "%00"])
          expect((await ask(`hash=${bad}`))[0], bad).toBe(422);
        const post = async (boc: string) => (await app.post(`/api/v3/${path}`, { boc })).status;
        expect(await post("!")).toBe(422);
        expect(await post("AAAA")).toBe(400);
        expect(await post(base64(serializeBoc(beginCell().storeUint(1, 8).endCell())))).toBe(400);
        expect(await post(base64(serializeBoc(beginCell().endCell())))).toBe(400);
      });

      it("follows a message from the mempool to the end of its trace", async () => {
        const sender = new Sender("followed", "v5r1");
        await devnet.controls.setBalance({ workchain: 0, id: sender.own.address.hash }, 10n * ton);
        await indexAll(fresh.database, devnet.api, { events: devnet.events });
        const far = new Address(-1, new Uint8Array(32).fill(0x70));
        const boc = sender.order({ to: far, value: ton, bounce: true });
        expect(await ofBoc(boc)).toMatchObject({ status: "unknown", reason: "acceptable" });
        await devnet.api.sendMessage({ body: boc });
        const wallet = { interface: "wallet_v5r1", seqno: 0, next_seqno: 0, valid_until: always };
        const hash = hashOf(boc);
        const pending = await ofHash(hash);
        expect(pending).toMatchObject({
          status: "pending",
          message_hash: hash,
          wallet,
          sent_by: null,
          expected: {
            success: false,
            failure: { phase: "compute", skipped_reason: "no_state", account: far.toRawUpper() },
          },
        });
        expect(await ofHash(pending.message_hash_norm!)).toEqual(pending);

        await devnet.controls.mine(1);
        const confirmed = await ofHash(hash);
        expect(confirmed).toMatchObject({
          status: "included",
          finality: "confirmed",
          mc_block_seqno: null,
          transaction: { account: sender.own.address.toRawUpper(), success: true },
        });
        await indexAll(fresh.database, devnet.api, { events: devnet.events });
        const included = await ofHash(hash);
        expect(included).toMatchObject({
          status: "included",
          finality: "finalized",
          transaction: (confirmed as Completed).transaction,
          block: (confirmed as Completed).block,
          failures: [{ account: far.toRawUpper(), refund: { account: sender.own.address.toRawUpper() } }],
          failures_total: 1,
          pending_messages: 1,
        });
        const { transactions } = await app.v3<V3Result<"transactions">>(
          `transactions?account=${far.toRaw()}`,
        );
        const [{ hash: failed, out_msgs }] = transactions as [Transaction];
        const [onItsWay] = out_msgs;
        expect(await ofHash(onItsWay!.hash)).toMatchObject({
          status: "pending",
          sent_by: { hash: failed, success: false },
          expected: null,
        });
        await devnet.controls.mine(6);
        await indexAll(fresh.database, devnet.api, { events: devnet.events });
        const completed = await ofHash(hash);
        expect(completed).toMatchObject({
          status: "completed",
          success: false,
          failures_total: 1,
          failure: {
            account: far.toRawUpper(),
            bounce: "ok",
            refund: { account: sender.own.address.toRawUpper() },
          },
        });
      });

      it("reports messages as dropped that no block included in time", async () => {
        // Accepts until a moment, which the next block is behind.
        const { now } = await devnet.controls.info();
        const code = await compile(`
        import "@stdlib/gas-payments"
        fun onExternalMessage() { assert (blockchain.now() < ${now + 30}) throw 88; acceptExternalMessage(); }`);
        const account = new Address(0, new Uint8Array(32).fill(0x71));
        const id = { workchain: 0, id: account.hash };
        await devnet.controls.setAccount(id, { balance: ton, code: serializeBoc(code) });
        const boc = serializeBoc(externalMessage(account, beginCell().storeUint(1, 8).endCell(), undefined));
        await devnet.api.sendMessage({ body: boc });
        await devnet.controls.advanceTime(100);
        await devnet.controls.mine(2);
        await indexAll(fresh.database, devnet.api, { events: devnet.events });
        const hash = hashOf(boc);
        expect(await ofHash(hash)).toMatchObject({ status: "pending", wallet: null, expected: null });
        const sentAt = clock.ms;
        onTestFinished(() => {
          clock.ms = sentAt;
        });
        clock.ms += 121_000;
        expect(await ofHash(hash)).toMatchObject({
          status: "dropped",
          wallet: null,
          sent_utime: sentAt / 1000,
        });
        expect(await ofBoc(boc)).toMatchObject({ status: "dropped" });
      });

      it("finds messages sent before a restart, in every process of the database", async () => {
        const sent = told.filter(({ kind }) => kind === "expires" || kind === "sent");
        const keeper = new SentKeeper({
          database: fresh.database.sql({ connections: 1 }),
          now: () => clock.ms,
          lifetimeMs: 120_000,
          onError: (error) => {
            throw error;
          },
        });
        const other = await startStoryApp(devnet, fresh.database, { clock });
        onTestFinished(() => other.close());
        const ask = (hash: string) => other.v3<MessageStatus>(`${path}?hash=${encodeURIComponent(hash)}`);
        const lost = sent.filter(({ kind }) => kind === "expires");
        for (const { boc } of lost)
          expect(await ask(hashOf(boc))).toMatchObject({ status: "unknown", reason: "not_found" });
        for (const { boc } of sent) keeper.add(boc, clock.ms);
        await keeper.close();
        for (const { boc } of lost) expect(await ask(hashOf(boc))).toEqual(await ofBoc(boc));

        const nobody = serializeBoc(
          externalMessage(new Address(0, new Uint8Array(32).fill(0x72)), beginCell().endCell(), undefined),
        );
        keeper.add(nobody, clock.ms);
        await keeper.close();
        expect(await ask(hashOf(nobody))).toMatchObject({ status: "pending", expected: null });
        const sentAt = clock.ms;
        onTestFinished(() => {
          clock.ms = sentAt;
        });
        clock.ms += 121_000;
        expect(await ask(hashOf(nobody))).toMatchObject({ status: "dropped", sent_utime: sentAt / 1000 });
        clock.ms = sentAt;
        keeper.revert();
        await keeper.close();
        expect(await ask(hashOf(nobody))).toMatchObject({ status: "dropped" });
      });

      it("uses the receiver's last transactions without an index", async () => {
        const plain = await startStoryApp(devnet, undefined, { clock });
        onTestFinished(() => plain.close());
        const ask = async (boc: Uint8Array) => {
          const { status, json } = await plain.post(`/api/v3/${path}`, { boc: base64(boc) });
          expect(status).toBe(200);
          return checked(path, json);
        };
        const last = told.filter(({ kind }) => kind === "sent").slice(-sized(3, 20));
        for (const { boc } of last) {
          const { transaction, block, message_hash } = (await ofBoc(boc)) as Completed;
          expect(await ask(boc)).toEqual(
            expect.objectContaining({
              status: "included",
              message_hash,
              transaction,
              block,
              trace_id: null,
              pending_messages: null,
            }),
          );
        }
        for (const { kind, boc } of told.filter(({ kind }) => kind !== "sent").slice(-sized(8, 30))) {
          const status = await ask(boc);
          const known = await ofBoc(boc);
          if (kind === "replaced" && status.status === "unknown") expect(status.reason).toBe("before_index");
          else expect(status).toEqual(known);
        }
        const answer = await plain.v3<MessageStatus>(`${path}?hash=${"00".repeat(32)}`);
        expect(answer).toMatchObject({ status: "unknown", reason: "not_found" });
      });
    });
  },
);
