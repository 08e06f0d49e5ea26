import { beginCell, toNano } from "@ton/core";
import { type DevnetContract, type DevnetSender, type RunningDevnet, startDevnet } from "tonwire/devnet";
import { devnetMatchers } from "tonwire/devnet/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Counter } from "../src/counter.js";

expect.extend(devnetMatchers);

let devnet: RunningDevnet;
let sender: DevnetSender;
let counter: DevnetContract<Counter>;

beforeAll(async () => {
  devnet = await startDevnet();
  sender = await devnet.sender();
  counter = devnet.open(new Counter(1));
}, 120_000);
afterAll(() => devnet?.close());

it("counts", async () => {
  const deployed = await counter.sendDeploy(sender, toNano("0.1"));
  expect(deployed).toDeploy(counter);
  expect(await counter.getCount()).toBe(0n);
  const increased = await counter.sendIncrease(sender, toNano("0.05"));
  expect(increased).toHaveTransaction({ from: sender, to: counter, op: 1, exitCode: 0 });
  expect(increased).toChangeBalance(counter, toNano("0.05"), { fees: false });
  expect(await counter.getCount()).toBe(1n);
});

it("refuses messages that it does not know", async () => {
  const unknown = {
    to: counter.address,
    value: toNano("0.05"),
    body: beginCell().storeUint(7, 32).endCell(),
  };
  await expect(sender.send(unknown)).rejects.toFailWith(63);
  expect(await counter.getCount()).toBe(1n);
});
