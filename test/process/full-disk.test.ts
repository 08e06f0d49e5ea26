import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { variants } from "../helpers/effort.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const reason = "nothing can be written to the data folder: ENOSPC: no space left on device, write";
const account = (digit: number) => `0:${`${digit}`.repeat(64)}`;

/** A separate folder with room for some blocks; `undefined` where this process may not mount one. */
function smallDisk(): string | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tonwire-test", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  return folder;
}

/** Writes until there is no room. Returns a function that makes room again. */
function fill(folder: string): () => void {
  const file = join(folder, "filler");
  for (const bytes of [64 * 1024, 1024])
    for (let full = false; !full; )
      try {
        writeFileSync(file, new Uint8Array(bytes), { flag: "a" });
      } catch {
        full = true;
      }
  return () => rmSync(file);
}

async function stateOf(service: DevnetService) {
  const balances = [];
  for (const digit of [1, 2, 3, 4])
    balances.push(await service.run("getAddressBalance", { address: account(digit) }));
  const { last } = await service.run<{ last: { seqno: number } }>("getMasterchainInfo");
  return { balances, seqno: last.seqno, snapshots: await service.run("devnet.snapshots") };
}

test("A call that a devnet refuses because its disk is full never takes effect", async (context) => {
  const data = smallDisk();
  if (!data) return context.skip("only root may mount the small disk of this test");
  const first = await startDevnetService({ data });
  onTestFinished(() => first.close());
  await first.run("devnet.faucet", { address: account(1), amount: "1000" });
  const { state } = await first.run<{ state: string }>("devnet.exportState");
  await first.mine();
  await first.run("devnet.snapshot", { name: "earlier" });
  await first.mine();
  await first.run("devnet.snapshot", { name: "later" });
  const before = await stateOf(first);
  expect(before.balances).toEqual(["1000", "0", "0", "0"]);

  const makeRoom = fill(data);
  const writes = variants<[string, object]>(
    [
      ["devnet.faucet", { address: account(2), amount: "1000" }],
      ["devnet.mine", { blocks: 2 }],
      ["devnet.importState", { state }],
    ],
    [
      ["devnet.faucet", { address: account(1), amount: "1000" }],
      ["devnet.impersonate", { from: account(1), to: account(3), value: "1000" }],
      ["devnet.setBalance", { address: account(4), balance: "1000" }],
      ["devnet.reset", {}],
    ],
  );
  for (const [method, params] of writes)
    expect([method, await first.rpc(method, params)]).toMatchObject([method, { error: { message: reason } }]);

  makeRoom();
  await until("room for a block", async () => "result" in ((await first.rpc("devnet.mine", {})) as object));
  await first.mine(3);
  const after = { ...before, seqno: before.seqno + 4 };
  expect(await stateOf(first)).toEqual(after);
  await first.close();

  const again = await startDevnetService({ data });
  onTestFinished(() => again.close());
  await again.mine();
  expect(await stateOf(again)).toEqual({ ...after, seqno: after.seqno + 1 });
});
