import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { replaceMeta } from "../../server/store/queries/upkeep/index-meta.js";
import { base64ToBytes, bytesToBase64Url, bytesToHex } from "../../shared/values/bytes.js";
import { isLong } from "../helpers/effort.js";
import { tonwireHere } from "../helpers/services/command-here.js";
import { startStoryService } from "../helpers/stories/story-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

type Traces = {
  traces: {
    trace_id: string;
    transactions: Record<string, { in_msg: { hash: string } | null }>;
    actions: object[];
  }[];
};
type Actions = { actions: { action_id: string; trace_id: string; transactions: string[] }[] };

/** A trace of an index whose service was stopped, and the command on its folder. */
async function storedTrace() {
  const data = temporaryFolder();
  const service = await startStoryService(data);
  const get = async <T>(path: string) => (await service.get(path)).json as T;
  const listed = await get<Actions>("/api/v3/actions?action_type=jetton_transfer&limit=1");
  const action = listed.actions[0]!;
  const traceId = action.trace_id;
  const path = `/api/v3/traces?trace_id=${encodeURIComponent(traceId)}&include_actions=true`;
  const answer = await get<Traces & object>(path);
  await service.close();
  const run = (...args: string[]) => tonwireHere(["trace", ...args, "--data", data]);
  return { data, action, traceId, trace: answer.traces[0]!, run };
}

test("tonwire trace shows a trace of an index while its service is stopped", async () => {
  const { traceId, trace, run } = await storedTrace();
  const shown = await run(traceId);
  expect([shown.code, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toContain(`Trace ${traceId}\n`);
  expect(shown.stdout).toMatch(/^ +A\d+ jetton_transfer ok #1-#\d/m);
  expect(shown.stdout).toMatch(/ TON jetton_transfer 0x0f8a7ea5 (.+ )?ok$/m);
  // It is no terminal.
  expect(shown.stdout).not.toContain("\u001b");

  const json = await run(traceId, "--json");
  const { actions, address_book: _, metadata: __, ...rest } = JSON.parse(json.stdout);
  const { actions: stored, ...expected } = trace;
  expect(rest).toEqual(expected);
  for (const each of stored)
    expect(actions).toContainEqual({ ...each, parent_action_id: null, text: expect.any(String) });

  const unknown = bytesToHex(new Uint8Array(32));
  expect(await run(unknown)).toEqual({
    code: 1,
    stdout: "",
    stderr: `tonwire: the index has no trace, transaction, message or action with the hash ${"A".repeat(43)}=\n`,
  });
});

test.runIf(isLong)("tonwire trace explains the actions of a trace", async () => {
  const { traceId, run } = await storedTrace();
  const explained = await run(traceId, "--explain");
  expect(explained.stdout).toMatch(
    /#\d+ 0x0f8a7ea5: taken by jetton transfer, part of B\d+ jetton_transfer$/m,
  );
  expect(explained.stdout).toMatch(
    /B\d+ jetton_transfer of [-# 0-9]+, action A\d+: part of no other block$/m,
  );
  expect(explained.stdout).not.toContain("The index has other actions");
});

test.runIf(isLong)("tonwire trace knows each hash of a trace, and the coin of its network", async () => {
  const { data, action, traceId, trace, run } = await storedTrace();
  const hash = Object.keys(trace.transactions).at(-1)!;
  const message = trace.transactions[hash]!.in_msg!.hash;
  const shown = await run(traceId);
  expect(await run(bytesToHex(base64ToBytes(hash)!))).toEqual(shown);
  expect(
    await tonwireHere(["trace", "--data", data, "--", bytesToBase64Url(base64ToBytes(message)!)]),
  ).toEqual(shown);
  expect(await run(action.action_id)).toEqual(shown);

  const { explanation } = JSON.parse((await run(traceId, "--explain", "--json")).stdout);
  expect(explanation).toMatchObject({ state: "ok", error: null, differs_from_index: false });

  const database = await openPglite(join(data, "index"));
  await replaceMeta(database.sql(), "network", "mainnet");
  await database.close();
  const ofMainnet = await run(traceId);
  expect(ofMainnet.stdout).toBe(shown.stdout.replace(/\bTON\b/g, "GRAM"));
  expect(ofMainnet.stdout).not.toBe(shown.stdout);
});

test("tonwire trace refuses an invalid hash, and makes nothing", async () => {
  const data = `${temporaryFolder()}/data`;
  const missing = await tonwireHere(["trace", "ab".repeat(32), "--data", data]);
  expect([missing.code, missing.stderr]).toEqual([1, `tonwire: ${data} has no index\n`]);
  expect(existsSync(data)).toBe(false);
});
