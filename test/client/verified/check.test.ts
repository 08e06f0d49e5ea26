import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Message, Trace, Transaction } from "../../../client/index.js";
import { ProofError } from "../../../client/verified/index.js";
import { sized } from "../../helpers/effort.js";
import { flippedAt } from "../../helpers/peers/lite-lies.js";
import { LyingTonwire } from "../../helpers/peers/lying-tonwire.js";
import { type Claims, checkChanges, type Ends, openClaims } from "./claims.js";

const noProof = ["decoded_opcode", "message_content.decoded", "init_state.decoded"];
const sides = ["in_msg_tx_hash", "out_msg_tx_hash"];
const ofMessage = [...noProof, ...sides].map((name) => `message.${name}`);
const states = ["account_state_before", "account_state_after"].flatMap((state) =>
  ["balance", "extra_currencies", "account_status", "frozen_hash", "data_hash", "code_hash"].map(
    (name) => `${state}.${name}`,
  ),
);
const ofTransaction = [
  ...["in_msg", "out_msgs[]"].flatMap((side) => noProof.map((name) => `${side}.${name}`)),
  ...states,
  "trace_id",
];
const inTransaction = ofTransaction.map((name) => `transaction.${name}`);
const ofTrace = [
  ...ofTransaction.filter((name) => name !== "trace_id").map((name) => `trace.transactions[].${name}`),
  ...["actions", "is_incomplete", "trace_info.classification_state"].map((name) => `trace.${name}`),
];

/** The long run makes thousands of changes. */
const longMs = 900_000;

function sum(ends: readonly Ends[]): number {
  return ends.reduce((all, { changes }) => all + changes, 0);
}

describe("a check of what an index answers", () => {
  let claims: Claims;
  let transactions: Transaction[];
  beforeAll(async () => {
    claims = await openClaims();
    ({ transactions } = await claims.plain.v3.transactions({ limit: 1000 }));
  });
  afterAll(() => claims?.close());

  it("proves its transactions of every kind", async () => {
    const kinds = new Set<string>();
    for (const transaction of transactions) {
      const { type, compute_ph: run } = transaction.description;
      const kind = [type, run?.skipped, transaction.in_msg?.source === null, transaction.out_msgs.length > 0];
      if (kinds.has(String(kind)) && kinds.size > 3) continue;
      kinds.add(String(kind));
      const checked = await claims.verified.check({ transaction });
      expect(checked.transactions).toBe(1);
      expect(inTransaction).toEqual(expect.arrayContaining([...checked.unproven]));
    }
    expect(kinds.size).toBeGreaterThan(4);
  });

  it("proves its messages by the transactions that sent and received them", async () => {
    const { messages } = await claims.plain.v3.messages({ limit: 200 });
    const proven = { internal: 0, external: 0 };
    for (const message of messages) {
      const isInternal = message.source !== null && message.destination !== null;
      if (proven[isInternal ? "internal" : "external"] === sized(5, 200)) continue;
      const { transactions: count, unproven } = await claims.verified.check({ message });
      expect(ofMessage).toEqual(expect.arrayContaining([...unproven]));
      if (isInternal) expect(count).toBe(2);
      proven[isInternal ? "internal" : "external"]++;
    }
    expect([proven.internal > 0, proven.external > 0]).toEqual([true, true]);
  });

  it("proves its traces whole", async () => {
    const { traces } = await claims.plain.v3.traces({ limit: 100 });
    const sizes = new Set<number>();
    for (const trace of traces) {
      if (sizes.has(trace.trace_info.transactions)) continue;
      sizes.add(trace.trace_info.transactions);
      const checked = await claims.verified.check({ trace });
      expect(checked.transactions).toBe(trace.trace_info.transactions);
      expect(ofTrace).toEqual(expect.arrayContaining([...checked.unproven]));
    }
    expect(Math.max(...sizes)).toBeGreaterThan(3);
  });

  it(
    "refuses or names each member of a transaction that is changed",
    async () => {
      const chosen = transactions.filter(
        ({ description, out_msgs, in_msg }) => description.action && out_msgs.length > 0 && in_msg?.source,
      );
      const ends: Ends[] = [];
      while (sum(ends) < sized(1, 2000))
        ends.push(await checkChanges(claims, "transaction", chosen[ends.length]!));
      const [{ refused }] = ends as [Ends];
      for (const name of [
        "account",
        "hash",
        "lt",
        "now",
        "total_fees",
        "mc_block_seqno",
        "description.aborted",
      ])
        expect(refused).toContain(`transaction.${name}`);
      for (const name of ["value", "source", "destination", "opcode", "message_content.body", "created_at"])
        expect(refused).toContain(`transaction.in_msg.${name}`);
      expect(refused.size).toBeGreaterThan(60);
      console.log(`${sum(ends)} changed transactions`);
    },
    longMs,
  );

  it(
    "refuses or names each member of a message that is changed",
    async () => {
      const { messages } = await claims.plain.v3.messages({ limit: 1000 });
      const kinds = [
        messages.filter(({ source, destination, value }) => source && destination && value !== "0"),
        messages.filter(({ source, destination }) => source === null && destination !== null),
      ];
      const ends: Ends[] = [];
      for (let at = 0; sum(ends) < sized(1, 2000); at++)
        for (const kind of kinds) ends.push(await checkChanges(claims, "message", kind[at % kind.length]!));
      for (const name of ["destination", "opcode", "bounce", "message_content.hash"])
        expect(ends[0]!.refused).toContain(`message.${name}`);
      expect(ends[0]!.refused.size).toBeGreaterThan(14);
      expect(ends[1]!.refused.size).toBeGreaterThan(8);
      console.log(`${sum(ends)} changed messages`);
    },
    longMs,
  );

  it("proves that no transaction sent a message in the name of another account, and says so", async () => {
    const to = transactions[0]!.account;
    const from = `0:${"e1".repeat(32)}`;
    const sent = { from, to, value: "1000000000", bounce: false };
    const { tx_hash } = await claims.service.run<{ tx_hash: string }>("devnet.impersonate", sent);
    const { traces } = await claims.plain.v3.traces({ tx_hash: [tx_hash] });
    const [trace] = traces as [Trace];
    const { messages } = await claims.plain.v3.messages({ msg_hash: [trace.external_hash!] });
    const [message] = messages as [Message];
    // The others know a head before it.
    const verified = await claims.openAt(claims.service.url);
    const current = { ...claims, verified };
    expect(await verified.check({ message })).toMatchObject({ transactions: 1, impersonated: true });
    expect(await verified.check({ trace })).toMatchObject({ impersonated: true });
    const transaction = trace.transactions![tx_hash]!;
    expect(await verified.check({ transaction })).toMatchObject({ impersonated: true });
    const { refused } = await checkChanges(current, "message", message);
    for (const name of ["source", "destination", "value", "created_lt", "hash"])
      expect(refused).toContain(`message.${name}`);
    await expect(verified.check({ message: { ...message, out_msg_tx_hash: tx_hash } })).rejects.toThrow(
      ProofError,
    );
    verified.close();
  });

  it("proves nothing of what is in no block yet", async () => {
    const transaction: Transaction = { ...transactions[0]!, finality: "pending" };
    const pending = { transactions: 0, unproven: ["transaction"] };
    expect(await claims.verified.check({ transaction })).toEqual(pending);
  });

  it("is bounded", async () => {
    const [hash, transaction] = [transactions[0]!.hash, transactions[0]!];
    const many = Object.fromEntries(
      Array.from({ length: 1001 }, (_, index) => [`${hash}${index}`, transaction]),
    );
    const trace = { transactions: many } as unknown as Trace;
    await expect(claims.verified.check({ trace })).rejects.toMatchObject({ code: "too-large" });
    const message = { created_lt: "x", hash: 5, source: {} } as unknown as Message;
    await expect(claims.verified.check({ message })).rejects.toBeInstanceOf(ProofError);
  });

  it("does not believe a service that changes the proofs", async () => {
    const liar = await LyingTonwire.before(claims.service.url);
    const [transaction] = transactions;
    for (const method of ["lookupBlockWithProof", "getOneTransaction", "getAllShardsInfo"]) {
      liar.lie = (exchange) => (exchange.query.method === method ? flippedAt(0.6)(exchange) : undefined);
      const client = await claims.openAt(liar.url);
      const shard = transactions.find(({ block_ref }) => block_ref.workchain === 0) ?? transaction!;
      await expect(client.check({ transaction: shard })).rejects.toBeInstanceOf(ProofError);
      client.close();
    }
  });
});
