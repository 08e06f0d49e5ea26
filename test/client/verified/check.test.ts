import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Client,
  createClient,
  http,
  type Message,
  type RpcError,
  type Trace,
  type Transaction,
} from "../../../client/index.js";
import {
  type Claim,
  createVerifiedClient,
  ProofError,
  type VerifiedClient,
} from "../../../client/verified/index.js";
import { sized } from "../../helpers/effort.js";
import { jsonLies } from "../../helpers/peers/json-lies.js";
import { flippedAt } from "../../helpers/peers/lite-lies.js";
import { LyingTonwire } from "../../helpers/peers/lying-tonwire.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { startStoryService } from "../../helpers/stories/story-service.js";

const noProof = ["decoded_opcode", "message_content.decoded", "init_state.decoded"];
const ofMessage = noProof.map((name) => `message.${name}`);
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
/** Members that a true record may lack. */
const optional = new Set(["message.in_msg_tx_hash", "message.out_msg_tx_hash", "trace.transactions_order"]);
const ofTrace = [
  ...ofTransaction.filter((name) => name !== "trace_id").map((name) => `trace.transactions[].${name}`),
  ...["actions", "is_incomplete", "trace_info.classification_state"].map((name) => `trace.${name}`),
];

const open = [...inTransaction, ...ofMessage, ...ofTrace];

describe("a check of what an index answers", () => {
  let service: DevnetService;
  let plain: Client;
  let verified: VerifiedClient;
  let transactions: Transaction[];
  beforeAll(async () => {
    service = await startStoryService();
    plain = createClient({ transport: http(`${service.url}/jsonRPC`), apiKey: service.key });
    verified = await openAt(service.url);
    ({ transactions } = await plain.v3.transactions({ limit: 1000 }));
  });
  afterAll(async () => {
    verified?.close();
    plain?.close();
    await service?.close();
  });

  async function openAt(url: string): Promise<VerifiedClient> {
    const { init } = await plain.getMasterchainInfo();
    const transport = http(`${url}/jsonRPC`);
    return createVerifiedClient({ transport, apiKey: service.key, trustedBlock: init, headMs: 600_000 });
  }

  it("proves its transactions of every kind", async () => {
    const kinds = new Set<string>();
    for (const transaction of transactions) {
      const { type, compute_ph: run } = transaction.description;
      const kind = [type, run?.skipped, transaction.in_msg?.source === null, transaction.out_msgs.length > 0];
      if (kinds.has(String(kind)) && kinds.size > 3) continue;
      kinds.add(String(kind));
      const checked = await verified.check({ transaction });
      expect(checked.transactions).toBe(1);
      expect(inTransaction).toEqual(expect.arrayContaining([...checked.unproven]));
    }
    expect(kinds.size).toBeGreaterThan(4);
  });

  it("proves its messages by the transactions that sent and received them", async () => {
    const { messages } = await plain.v3.messages({ limit: 200 });
    const proven = { internal: 0, external: 0 };
    for (const message of messages.slice(0, sized(40, 200))) {
      const { transactions: count, unproven } = await verified.check({ message });
      expect(ofMessage).toEqual(expect.arrayContaining([...unproven]));
      const isInternal = message.source !== null && message.destination !== null;
      if (isInternal) expect(count).toBe(2);
      proven[isInternal ? "internal" : "external"]++;
    }
    expect([proven.internal > 0, proven.external > 0]).toEqual([true, true]);
  });

  it("proves its traces whole", async () => {
    const { traces } = await plain.v3.traces({ limit: 100 });
    const sizes = new Set<number>();
    for (const trace of traces) {
      if (sizes.has(trace.trace_info.transactions)) continue;
      sizes.add(trace.trace_info.transactions);
      const checked = await verified.check({ trace });
      expect(checked.transactions).toBe(trace.trace_info.transactions);
      expect(ofTrace).toEqual(expect.arrayContaining([...checked.unproven]));
    }
    expect(Math.max(...sizes)).toBeGreaterThan(3);
  });

  /** Checks a record with each member changed or left out; returns the members whose changes were refused. */
  async function refused<Name extends string>(name: Name, record: object, claim: (record: never) => Claim) {
    await verified.check(claim(record as never));
    const fields = new Set<string>();
    for (const { kind, changed, isLeftOut } of jsonLies(record, name)) {
      if (isLeftOut && optional.has(kind)) continue;
      const outcome = await verified.check(claim(changed as never)).catch((each: Error) => each);
      if (!(outcome instanceof Error)) {
        // A transaction that claims to be in no block yet is not proven at all.
        const shown = outcome.unproven.includes(name)
          ? ["emulated", "finality"].map((each) => `${name}.${each}`)
          : open;
        const isShown = (list: readonly string[]) => list.some((each) => `${kind}.`.startsWith(`${each}.`));
        expect([kind, isShown(shown), isLeftOut || isShown([...outcome.unproven])]).toEqual([
          kind,
          true,
          true,
        ]);
        continue;
      }
      const error = outcome;
      if (!(error instanceof ProofError)) {
        // Blocks that do not exist yet cannot be proven either way.
        expect([kind, (error as RpcError).code]).toEqual([
          expect.stringMatching(/(block_ref|mc_block_seqno|created_lt|destination|hash)/),
          expect.stringMatching(/^(liteserver-error|unavailable)$/),
        ]);
        continue;
      }
      fields.add(kind);
      expect(error.evidence).toMatchObject({ bytes: expect.anything() });
    }
    return fields;
  }

  it("finds each member of a transaction that is changed or left out", async () => {
    const transaction = transactions.find(
      ({ description, out_msgs, in_msg }) => description.action && out_msgs.length > 0 && in_msg?.source,
    )!;
    const fields = await refused("transaction", transaction, (each) => ({ transaction: each }));
    for (const name of [
      "account",
      "hash",
      "lt",
      "now",
      "total_fees",
      "mc_block_seqno",
      "description.aborted",
    ])
      expect(fields).toContain(`transaction.${name}`);
    for (const name of ["value", "source", "destination", "opcode", "message_content.body", "created_at"])
      expect(fields).toContain(`transaction.in_msg.${name}`);
    expect(fields.size).toBeGreaterThan(60);
  }, 120_000);

  it("finds each member of a message that is changed or left out", async () => {
    const { messages } = await plain.v3.messages({ limit: 100 });
    const external = messages.find(({ source, destination }) => source === null && destination !== null)!;
    const internal = messages.find(
      ({ source, destination, value }) => source && destination && value !== "0",
    )!;
    const told = [
      await refused("message", internal, (message) => ({ message })),
      await refused("message", external, (message) => ({ message })),
    ];
    for (const name of ["destination", "opcode", "bounce", "message_content.hash"])
      expect(told[0]).toContain(`message.${name}`);
    expect(told[0]!.size).toBeGreaterThan(14);
    expect(told[1]!.size).toBeGreaterThan(8);
  }, 120_000);

  it("finds what is wrong in the tree of a trace", async () => {
    const { traces } = await plain.v3.traces({ limit: 100 });
    const trace = traces.find(({ trace_info: { transactions: count } }) => count > 2 && count < 6)!;
    const { transactions: all, ...rest } = trace;
    const fields = await refused("trace", rest, (each: Trace) => ({ trace: { ...each, transactions: all } }));
    for (const name of ["trace_id", "start_lt", "mc_seqno_end", "end_utime", "external_hash"])
      expect(fields).toContain(`trace.${name}`);
    expect([...fields].some((each) => each.startsWith("trace.trace.children"))).toBe(true);
    const [first, second] = Object.entries(all!);
    const without = { ...trace, transactions: Object.fromEntries(Object.entries(all!).slice(0, -1)) };
    const swapped = { ...trace, transactions: { ...all, [first![0]]: second![1] } };
    for (const wrong of [without, swapped])
      await expect(verified.check({ trace: wrong })).rejects.toBeInstanceOf(ProofError);
  }, 120_000);

  it("proves nothing of what is in no block yet", async () => {
    const transaction: Transaction = { ...transactions[0]!, finality: "pending" };
    const pending = { transactions: 0, unproven: ["transaction"] };
    expect(await verified.check({ transaction })).toEqual(pending);
  });

  it("is bounded", async () => {
    const [hash, transaction] = [transactions[0]!.hash, transactions[0]!];
    const many = Object.fromEntries(
      Array.from({ length: 1001 }, (_, index) => [`${hash}${index}`, transaction]),
    );
    const trace = { transactions: many } as unknown as Trace;
    await expect(verified.check({ trace })).rejects.toMatchObject({ code: "too-large" });
    const message = { created_lt: "x", hash: 5, source: {} } as unknown as Message;
    await expect(verified.check({ message })).rejects.toBeInstanceOf(ProofError);
  });

  it("does not believe a service that changes the proofs", async () => {
    const liar = await LyingTonwire.before(service.url);
    const [transaction] = transactions;
    for (const method of ["lookupBlockWithProof", "getOneTransaction", "getAllShardsInfo"]) {
      liar.lie = (exchange) => (exchange.query.method === method ? flippedAt(0.6)(exchange) : undefined);
      const client = await openAt(liar.url);
      const shard = transactions.find(({ block_ref }) => block_ref.workchain === 0) ?? transaction!;
      await expect(client.check({ transaction: shard })).rejects.toBeInstanceOf(ProofError);
      client.close();
    }
  });
});
