import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commentBody } from "../../server/devnet/wallets/compose.js";
import { maxAnswerBytes, notice } from "../../server/mcp/answers/answer.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { variants } from "../helpers/effort.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { connectModel, httpTransport, type ModelClient } from "../helpers/services/mcp-client.js";
import { sharedService } from "../helpers/services/shared-service.js";

type Row = Record<string, unknown>;
type Match = { kind: string; address?: string; next?: string };
type Found = { matches: Match[] };
type History = { actions: Row[]; cursor: string | null };

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("story");
});
afterAll(() => service?.close());

const connect = (era?: "legacy" | "modern") =>
  connectModel(httpTransport(service.url, { "X-API-Key": service.key }), era);

async function addressOf({ ask }: ModelClient, name: string): Promise<string> {
  const { matches } = await ask<Found>("search", { query: name });
  return matches.find(({ kind }) => kind === "wallet")!.address!;
}

describe("a model's session", () => {
  it.each(variants(["legacy"] as const, ["modern"] as const))(
    "finds out why a payment failed (%s protocol)",
    async (era) => {
      const model = await connect(era);
      const hana = await addressOf(model, "Hana");
      const { actions } = await model.ask<History>("history", { account: hana, limit: 50 });
      const failed = actions.find(({ type, success }) => type === "ton_transfer" && success === false)!;
      expect(failed).toMatchObject({ details: { comment: "Do you take orders?", value: "1000000000" } });

      const explained = await model.ask<Row & { failures: Row[]; transactions: Row[] }>(
        "explain_transaction",
        {
          hash: failed["trace_id"],
        },
      );
      expect(explained).toMatchObject({ success: false, failures_total: 1 });
      const [failure] = explained.failures;
      expect(failure).toMatchObject({ phase: "compute", exit_code: 65535, interfaces: ["jetton_master"] });
      expect(failure).toMatchObject({ exit_meaning: expect.any(String), refund: { account: hana } });
      expect(failure).toMatchObject({ hint: expect.stringMatching(/^[\d.]+ TON came back to .*\.$/) });
      expect(explained).toMatchObject({ summary: expect.stringContaining("does not know the operation") });
      expect(explained.transactions.map(({ depth, outcome }) => [depth, outcome])).toEqual([
        [0, "ok"],
        [1, "failed"],
        [2, "ok"],
      ]);
      const step = explained.transactions[1]!;
      expect(step).toMatchObject({
        hash: failure!["hash"],
        why: { phase: "compute", exit_code: 65535, exit_meaning: failure!["exit_meaning"] },
        received: { from: hana, operation: "text_comment", body: { comment: "Do you take orders?" } },
      });

      // The same by the hash of the failed transaction, and of its message.
      const { hash } = step["received"] as Row;
      for (const other of [step["hash"], hash])
        expect(await model.ask("explain_transaction", { hash: other })).toEqual(explained);
      expect(await model.ask("message_status", { hash })).toMatchObject({
        status: "completed",
        success: false,
      });
      const log = await model.ask<{ last_lines: string[] }>("devnet_transaction_log", { hash: step["hash"] });
      expect(log.last_lines.join("\n")).toContain("65535");
    },
  );

  it("does not take a stake that the elector returned for a success", async () => {
    const model = await connect();
    const { actions } = await service.run<{ actions: { trace_id: string }[] }>("v3.actions", {
      action_type: ["election_deposit"],
      limit: 1,
    });
    const explained = await model.ask<Row>("explain_transaction", { hash: actions[0]!.trace_id });
    expect(explained).toMatchObject({ success: false, failed_actions: [expect.stringContaining("stake")] });
  });

  it("finds out why a transaction failed, step by step", async () => {
    const model = await connect();
    const { actions } = await model.ask<History>("history", {
      account: await addressOf(model, "Hana"),
      limit: 50,
    });
    const failed = actions.find(({ type, success }) => type === "ton_transfer" && success === false)!;
    const { failures } = await model.ask<{ failures: Row[] }>("explain_transaction", {
      hash: failed["trace_id"],
    });
    const run = await model.ask<Row & { last_steps: Row[] }>("debug_transaction", {
      hash: failures[0]!["hash"],
    });
    expect(run).toMatchObject({
      proof: { level: "exact" },
      outcome: { exit_code: 65535, thrown_by: "instruction" },
      gas: { used: expect.any(String), dearest: expect.any(Array) },
      storage: { removed: [], added: [] },
    });
    const last = run.last_steps.at(-1)!;
    expect(last).toMatchObject({ error: { code: 65535 } });
    const step = await model.ask<Row>("debug_step", { run: run["run"], step: last["n"] });
    expect(step).toMatchObject({
      step: { n: last["n"] },
      stack: expect.any(Array),
      registers: expect.any(Object),
    });
    expect(step).not.toHaveProperty("cells");
  });

  it("sees an account at a glance", async () => {
    const model = await connect();
    const address = await addressOf(model, "Cleo");
    const account = await model.ask<Row & { jettons: Row[] }>("account", { address });
    expect(account).toMatchObject({ address, state: "active", interfaces: ["wallet_v4r2"] });
    expect(account["balance_ton"]).toMatch(/^\d+\.\d+$/);
    expect(account.jettons).toContainEqual(
      expect.objectContaining({
        symbol: "ACORN",
        amount: "920000",
        balance_units: "920000000000000",
        owner: address,
      }),
    );
    const state = await model.ask("run_get_method", { address, method: "seqno" });
    expect(state).toMatchObject({ exit_code: 0, stack: [{ type: "num" }] });
  });

  it("finds accounts, transactions, messages, blocks, domains and names", async () => {
    const model = await connect();
    const kinds = async (query: string) =>
      (await model.ask<Found>("search", { query })).matches.map(({ kind }) => kind);
    const { transactions } = await service.run<{
      transactions: { hash: string; in_msg: { hash: string } }[];
    }>("v3.transactions", { limit: 1, account: await addressOf(model, "Ann") });
    const { blocks } = await service.run<{ blocks: { root_hash: string }[] }>("v3.blocks", { limit: 1 });
    const { records } = await service.run<{ records: { domain: string }[] }>("v3.dns.records", {
      wallet: await addressOf(model, "Finn"),
    });
    expect(await kinds(transactions[0]!.hash)).toEqual(["transaction"]);
    expect(await kinds(transactions[0]!.in_msg.hash)).toEqual(["message"]);
    expect(await kinds(blocks[0]!.root_hash)).toEqual(["block"]);
    expect(await kinds("7")).toEqual(["block"]);
    expect(await kinds(records[0]!.domain)).toEqual(["domain"]);
    expect(await kinds(`0:${"33".repeat(32)}`)).toEqual(["account"]);
    expect(await kinds("33".repeat(32))).toEqual([]);
    expect(await kinds("acorn")).toContain("jetton");
    expect(await kinds("nobody has this name")).toEqual([]);
  });

  it("reads a list to its end by cursors, in answers that fit a small context, and sees each row once", async () => {
    const model = await connect();
    const account = await addressOf(model, "Ann");
    const seen: unknown[] = [];
    let cursor: string | null = null;
    for (;;) {
      const args = { account, limit: 100, ...(cursor !== null && { cursor }) };
      const text: string = await model.text("history", args);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxAnswerBytes);
      const page: History = JSON.parse(text);
      seen.push(...page.actions.map((row) => row["action_id"]));
      // New rows come first, and do not move those that follow.
      if (seen.length < 60) await service.run("devnet.faucet", { address: account });
      ({ cursor } = page);
      if (cursor === null) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    const { actions } = await service.run<{ actions: { action_id: string }[] }>("v3.actions", {
      account,
      limit: 1000,
    });
    const newest = actions.findIndex(({ action_id: id }) => id === seen[0]);
    expect(newest).toBeGreaterThan(0);
    expect(seen).toEqual(actions.slice(newest).map(({ action_id: id }) => id));
  });

  it("reads every list, and continues it", async () => {
    const model = await connect();
    const lists = {
      jetton_wallets: "jetton_wallets",
      jetton_masters: "jetton_masters",
      nft_items: "nft_items",
    };
    for (const [tool, member] of Object.entries({ ...lists, transactions: "transactions" })) {
      const first = await model.ask<Row & { cursor: string }>(tool, { limit: 1 });
      const second = await model.ask<Row>(tool, { limit: 1, cursor: first.cursor });
      expect([first[member], second[member]]).toEqual([[expect.anything()], [expect.anything()]]);
      expect(second[member]).not.toEqual(first[member]);
      expect(first.notice).toBe(notice);
    }
    const times = { start_utime: 1, end_utime: 4_000_000_000, limit: 1 };
    const first = await model.ask<History>("history", times);
    const second = await model.ask<History>("history", { ...times, cursor: first.cursor });
    expect(first.actions[0]!["action_id"]).not.toBe(second.actions[0]!["action_id"]);
    const wallet = await addressOf(model, "Finn");
    expect((await model.ask<{ records: Row[] }>("dns_records", { wallet })).records).not.toEqual([]);
  });

  it("emulates a message, decodes bodies and opcodes, and reads the configuration", async () => {
    const model = await connect();
    const wallet = new TestWallet("model");
    const to = new Address(0, new Uint8Array(32).fill(0x66));
    await service.run("devnet.faucet", { address: wallet.address.toRaw() });
    const boc = bytesToBase64(wallet.pay({ to, value: ton, bounce: true, body: commentBody("Hello") }));
    const emulated = await model.ask<{ transactions: Row[] }>("emulate_trace", { boc });
    // The receiver has no code, so the value comes back.
    expect(emulated.transactions.map(({ depth, outcome }) => [depth, outcome])).toEqual([
      [0, "ok"],
      [1, "failed"],
      [2, "ok"],
    ]);
    expect(emulated.transactions[1]).toMatchObject({
      received: { body: { comment: "Hello" } },
      why: { phase: "compute", not_run_because: "no_state" },
    });
    expect(await service.run("getAddressState", { address: wallet.address.toRaw() })).toBe("uninitialized");
    expect(await model.ask("decode", { opcodes: ["0x0f8a7ea5"] })).toMatchObject({
      opcodes: ["jetton_transfer"],
    });
    expect(await model.ask("get_config_param", { param: 15 })).toMatchObject({
      config: { bytes: expect.any(String) },
    });
    expect(await model.ask("network")).toMatchObject({ is_devnet: true, index: { first: { seqno: 1 } } });
  });
});
