import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { replaceMeta } from "../../../server/store/queries/upkeep/index-meta.js";
import { base64ToBytes, bytesToBase64Url, bytesToHex } from "../../../shared/values/bytes.js";
import { startIndexApp } from "../../helpers/http/index-app.js";
import { tonwireHere } from "../../helpers/services/command-here.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { storyIndex } from "../../helpers/stories/story-index.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

type Traces = {
  traces: {
    trace_id: string;
    transactions: Record<string, { in_msg: { hash: string } | null }>;
    actions: object[];
  }[];
};
type Actions = { actions: { action_id: string; trace_id: string; transactions: string[] }[] };

/** A trace with a transfer of jettons, as v3 answers it. */
async function listedTrace(ask: <T>(path: string) => Promise<T>) {
  const { actions } = await ask<Actions>("actions?action_type=jetton_transfer&limit=1");
  const action = actions[0]!;
  const traceId = action.trace_id;
  const path = `traces?trace_id=${encodeURIComponent(traceId)}&include_actions=true`;
  const { traces } = await ask<Traces>(path);
  return { action, traceId, trace: traces[0]! };
}

/** The id of a trace whose payment came back, as nobody has the address. */
async function failedTrace(ask: <T>(path: string) => Promise<T>): Promise<string> {
  type Payments = { actions: { success: boolean; trace_id: string }[] };
  const { actions } = await ask<Payments>("actions?action_type=ton_transfer&limit=1000");
  return actions.find(({ success }) => !success)!.trace_id;
}

async function failuresIn(traceId: string, run: (...args: string[]) => Promise<{ stdout: string }>) {
  const { stdout } = await run("--json", "--", traceId);
  return (JSON.parse(stdout) as { failures?: object[] }).failures;
}

const returned = [{ transaction: expect.any(String), text: expect.stringContaining("has no code") }];

describePostgres("tonwire trace", (_, server) => {
  /** A trace of an index, and the command on it. */
  async function storedTrace() {
    const databaseUrl = await server().databaseWithSchema(storyIndex);
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    const app = await startIndexApp(database);
    onTestFinished(() => app.close());
    const run = (...args: string[]) => tonwireHere(["trace", "--database-url", databaseUrl, ...args]);
    return { ...(await listedTrace((path) => app.result(path))), app, database, run };
  }

  test("shows a trace of an index", async () => {
    const { traceId, trace, app, run } = await storedTrace();
    const shown = await run(traceId);
    expect([shown.code, shown.stderr]).toEqual([0, ""]);
    expect(shown.stdout).toContain(`Trace ${traceId}\n`);
    expect(shown.stdout).toMatch(/^ +A\d+ jetton_transfer ok #1-#\d/m);
    expect(shown.stdout).toMatch(/ TON jetton_transfer 0x0f8a7ea5 (.+ )?ok$/m);
    // It is no terminal.
    expect(shown.stdout).not.toContain("\u001b");

    const json = await run(traceId, "--json");
    const { actions, failures, address_book: _, metadata: __, ...rest } = JSON.parse(json.stdout);
    const { actions: stored, ...expected } = trace;
    expect(rest).toEqual(expected);
    expect(failures).toBeUndefined();
    expect(shown.stdout).toMatch(/ jetton_notify .*received without being run: no_gas ok$/m);
    expect(await failuresIn(await failedTrace((path) => app.result(path)), run)).toEqual(returned);
    for (const each of stored)
      expect(actions).toContainEqual({ ...each, parent_action_id: null, text: expect.any(String) });

    expect(await run(bytesToHex(new Uint8Array(32)))).toEqual({
      code: 1,
      stdout: "",
      stderr: `tonwire: the index has no trace, transaction, message or action with the hash ${"A".repeat(43)}=\n`,
    });
  });

  test("knows each hash of a trace, explains it, and has the coin of its network", async () => {
    const { database, action, traceId, trace, run } = await storedTrace();
    const hash = Object.keys(trace.transactions).at(-1)!;
    const message = trace.transactions[hash]!.in_msg!.hash;
    const shown = await run(traceId);
    expect(await run(bytesToHex(base64ToBytes(hash)!))).toEqual(shown);
    expect(await run("--", bytesToBase64Url(base64ToBytes(message)!))).toEqual(shown);
    expect(await run(action.action_id)).toEqual(shown);

    const explained = await run(traceId, "--explain");
    expect(explained.stdout).toMatch(
      /#\d+ 0x0f8a7ea5: taken by jetton transfer, part of B\d+ jetton_transfer$/m,
    );
    expect(explained.stdout).toMatch(
      /B\d+ jetton_transfer of [-# 0-9]+, action A\d+: part of no other block$/m,
    );
    expect(explained.stdout).not.toContain("The index has other actions");
    const { explanation } = JSON.parse((await run(traceId, "--explain", "--json")).stdout);
    expect(explanation).toMatchObject({ state: "ok", error: null, differs_from_index: false });

    await replaceMeta(database.sql(), "network", "mainnet");
    const ofMainnet = await run(traceId);
    expect(ofMainnet.stdout).toBe(shown.stdout.replace(/\bTON\b/g, "GRAM"));
    expect(ofMainnet.stdout).not.toBe(shown.stdout);
  });
});

describe("tonwire trace --url", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("story");
  });
  afterAll(() => service.close());

  const run = (...args: string[]) =>
    tonwireHere(["trace", "--url", service.url, "--key", service.key, ...args]);

  test("shows a trace of a service by each of its hashes, with its failures", async () => {
    const ask = async <T>(path: string) => (await service.get(`/api/v3/${path}`)).json as T;
    const { action, traceId, trace } = await listedTrace(ask);
    const shown = await run(traceId);
    expect([shown.code, shown.stderr]).toEqual([0, ""]);
    expect(shown.stdout).toContain(`Trace ${traceId}\n`);
    expect(shown.stdout).toMatch(/^ +A\d+ jetton_transfer ok #1-#\d/m);
    expect(shown.stdout).toMatch(/ TON jetton_transfer 0x0f8a7ea5 (.+ )?ok$/m);
    const hash = Object.keys(trace.transactions).at(-1)!;
    for (const name of [hash, trace.transactions[hash]!.in_msg!.hash, action.action_id])
      expect(await run("--", name)).toEqual(shown);

    const {
      actions,
      failures,
      address_book: _,
      metadata: __,
      ...rest
    } = JSON.parse((await run("--json", traceId)).stdout);
    const { actions: listed, ...expected } = trace;
    expect(rest).toEqual(expected);
    expect(failures).toBeUndefined();
    expect(await failuresIn(await failedTrace(ask), run)).toEqual(returned);
    for (const each of listed)
      expect(actions).toContainEqual({ ...each, parent_action_id: null, text: expect.any(String) });
  });

  test("lets no text of a service control the terminal", async () => {
    const ask = async <T>(path: string) => (await service.get(`/api/v3/${path}`)).json as T;
    const { traceId } = await listedTrace(ask);
    const hostile = await serveJson(async (body) => {
      const answered = await service.post("/jsonRPC", body);
      return answered.text.replaceAll('"text":"', String.raw`"text":"\u001b[2J`);
    });
    const { code, stdout } = await tonwireHere(["trace", "--url", hostile, traceId]);
    expect(code).toBe(0);
    expect(stdout).toContain(String.raw`\u{1b}[2J`);
    expect(stdout).not.toContain("\u001b");
  });

  test("says that a service does not explain, and what it does not have", async () => {
    const explained = await run("--explain", "ab".repeat(32));
    expect([explained.code, explained.stderr]).toEqual([
      1,
      expect.stringContaining("no method of a service explains a trace"),
    ]);
    expect(await run("ab".repeat(32))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the service has no trace, transaction, message or action"),
    });
  });
});

/** The URL of a server that answers requests by their bodies. */
async function serveJson(answer: (body: string) => Promise<string>): Promise<string> {
  const server = createServer(async (request, response) => {
    response.end(await answer(await text(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("tonwire trace --url refuses what is no URL, no service, and none of this version", async () => {
  expect((await tonwireHere(["trace", "ab".repeat(32), "--url", "here"])).code).toBe(2);
  const nobody = await tonwireHere(["trace", "ab".repeat(32), "--url", "http://127.0.0.1:1"]);
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining("no service answers at")]);
  const url = await serveJson(async () => JSON.stringify({ result: { traces: [{ trace_id: "none" }] } }));
  const other = await tonwireHere(["trace", "ab".repeat(32), "--url", url]);
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining("answers v3.traces as no service of this version does"),
  ]);
});

test("tonwire trace refuses an invalid hash, and makes nothing", async () => {
  const data = `${temporaryFolder()}/data`;
  const missing = await tonwireHere(["trace", "ab".repeat(32), "--data", data]);
  expect([missing.code, missing.stderr]).toEqual([1, `tonwire: ${data} has no index\n`]);
  expect(existsSync(data)).toBe(false);
});
