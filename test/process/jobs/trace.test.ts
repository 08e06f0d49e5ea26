import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { replaceMeta } from "../../../server/store/queries/upkeep/index-meta.js";
import { base64ToBytes, bytesToBase64Url, bytesToHex } from "../../../shared/values/bytes.js";
import { startIndexApp } from "../../helpers/http/index-app.js";
import { tonwireHere } from "../../helpers/services/command-here.js";
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

describePostgres("tonwire trace", (_, server) => {
  /** A trace of an index, and the command on it. */
  async function storedTrace() {
    const databaseUrl = await server().databaseWithSchema(storyIndex);
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    const app = await startIndexApp(database);
    onTestFinished(() => app.close());
    const run = (...args: string[]) => tonwireHere(["trace", "--database-url", databaseUrl, ...args]);
    return { ...(await listedTrace((path) => app.result(path))), database, run };
  }

  test("shows a trace of an index", async () => {
    const { traceId, trace, run } = await storedTrace();
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
    expect(failures).toEqual([
      { transaction: expect.any(String), text: expect.stringContaining("did not buy the gas") },
    ]);
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

test("tonwire trace refuses an invalid hash, and makes nothing", async () => {
  const data = `${temporaryFolder()}/data`;
  const missing = await tonwireHere(["trace", "ab".repeat(32), "--data", data]);
  expect([missing.code, missing.stderr]).toEqual([1, `tonwire: ${data} has no index\n`]);
  expect(existsSync(data)).toBe(false);
});
