import { expect, onTestFinished, test } from "vitest";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { smallDisk } from "../helpers/small-disk.js";
import { until } from "../helpers/until.js";

const reason = "nothing can be written to the data folder: ENOSPC: no space left on device, write";
const account = (digit: number) => `0:${`${digit}`.repeat(64)}`;

async function stateOf(service: DevnetService) {
  const balances = [];
  for (const digit of [1, 2, 3, 4])
    balances.push(await service.run("getAddressBalance", { address: account(digit) }));
  const { last } = await service.run<{ last: { seqno: number } }>("getMasterchainInfo");
  return { balances, seqno: last.seqno, snapshots: await service.run("devnet.snapshots") };
}

test("A call that a devnet refuses because its disk is full never takes effect", async (context) => {
  const disk = smallDisk(2);
  if (!disk) return context.skip("only root may mount the small disk of this test");
  const data = disk.folder;
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

  disk.fill(0);
  const writes: [string, object][] = [
    ["devnet.faucet", { address: account(1), amount: "1000" }],
    ["devnet.faucet", { address: account(2), amount: "1000" }],
    ["devnet.impersonate", { from: account(1), to: account(3), value: "1000" }],
    ["devnet.setBalance", { address: account(4), balance: "1000" }],
    ["devnet.mine", { blocks: 2 }],
    ["devnet.importState", { state }],
    ["devnet.reset", {}],
  ];
  for (const [method, params] of writes)
    expect([method, await first.rpc(method, params)]).toMatchObject([method, { error: { message: reason } }]);

  disk.empty();
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
