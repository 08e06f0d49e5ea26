// Four concurrent callers in their own process.
import { Agent } from "node:http";
import { setPriority } from "node:os";
import { post } from "./post.js";
import type { Hello } from "./process.js";

/** A contract with the arguments of its get-method, or a cached answer to read. */
export type Orders = { address: string; argument: number } | "cached reads";

// They stand for other machines, so their cost must not be measured.
setPriority(10);

const inFlight = 4;
const server = JSON.parse(process.env["BENCH_SERVER"]!) as Hello;
const agent = new Agent({ keepAlive: true });
let orders: Orders | undefined;
let called = 0;

process.on("message", async (message: Orders | "stop") => {
  if (message === "stop") {
    orders = undefined;
    return;
  }
  orders = message;
  called = 0;
  await Promise.all(Array.from({ length: inFlight }, callOn));
  process.send?.(called);
});

async function callOn(): Promise<void> {
  while (orders) await callOnce(orders);
}

let number = 0;

async function callOnce(orders: Orders): Promise<void> {
  if (orders === "cached reads") await post(server, agent, "getMasterchainInfo", {});
  else await runMethod(orders);
  called++;
}

async function runMethod({ address, argument }: Exclude<Orders, string>): Promise<void> {
  // A different number below the argument every time, so that no answer is cached.
  const stack = [
    ["num", number++],
    ["num", argument],
  ];
  await post(server, agent, "runGetMethod", { address, method: "seqno", stack });
}
