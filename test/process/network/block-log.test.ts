import { afterAll, beforeAll, expect, it } from "vitest";
import { startService, type TestService } from "../../helpers/services/service.js";
import { until } from "../../helpers/until.js";

let service: TestService;
beforeAll(async () => {
  service = await startService({ logFormat: "pretty" });
});
afterAll(() => service.close());

it("a devnet's log for people has a line for each call, each block with transactions, and each refused message", async () => {
  const { logLines } = service;
  const told = (line: string) => logLines.some((each) => each.includes(line));
  await service.rpc("devnet.mine", { blocks: 2 });
  const gift = await service.rpc("devnet.faucet", { address: `0:${"12".repeat(32)}` });
  const { block } = (gift as { result: { block: { seqno: number } } }).result;
  await until("the block's line", () => told(`block  block=${block.seqno}  transactions=`));
  await service.rpc("sendBoc", { boc: "te6cckEBAQEAAgAAAEysuc0=" });
  await service.rpc("devnet.reset");

  expect(told("call  devnet.mine")).toBe(true);
  expect(logLines.find((line) => line.includes("call refused"))).toMatch(
    / sendBoc {2}\d+ ms .*caller=devnet/,
  );
  expect(told("chain reverted  block=0")).toBe(true);
  // Blocks 2 and 3 have the ticks and the tock of every masterchain block only.
  expect(told("block  block=2  ") || told("block  block=3  ")).toBe(false);
});
