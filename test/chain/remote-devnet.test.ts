import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { Gateway } from "../../server/chain/gateway/gateway.js";
import { RemoteDevnet } from "../../server/chain/remote-devnet.js";
import type { Devnet, DevnetConfig } from "../../server/devnet/devnet.js";
import { openDevnet } from "../../server/devnet/open-devnet.js";
import { wholeShard } from "../../shared/ton/tlb/block-id.js";
import { systemTimers, type Timers } from "../../shared/values/timers.js";
import { isLong } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { noFallback } from "../helpers/no-fallback.js";
import { until } from "../helpers/until.js";

const config: DevnetConfig = {
  seed: "tonwire",
  mining: { mode: "manual", intervalMs: 1000 },
  clock: "fixed",
  rewards: false,
  story: false,
};
const seed = randomBytes(32);
/** Waits for blocks and pauses before attempts are shorter than outside of tests. */
const quickTimers: Timers = {
  now: Date.now,
  after: (ms, callback) => systemTimers.after(ms / 20, callback),
};
const fail = (error: unknown) => {
  throw error;
};

/** A devnet behind a liteserver; `end` closes both. */
async function serve(port: number) {
  const devnet = await openDevnet(config, { nowMs: Date.now, onError: fail, onDegraded: fail });
  const gateway = new Gateway({ api: devnet.api, seed, onError: fail });
  await gateway.listen(port, "127.0.0.1");
  let ended = false;
  const end = async () => {
    if (ended) return;
    ended = true;
    await gateway.close();
    await devnet.close();
  };
  onTestFinished(end);
  return { devnet, end, publicKey: gateway.publicKey };
}

/** Reads the devnet from another process; `told` collects its events. */
async function reach({ api }: Pick<Devnet, "api">, publicKey: Uint8Array, port: number) {
  const { init } = await api.getMasterchainInfo();
  const zeroState = { ...init, shard: wholeShard, seqno: 0 };
  const address = { host: "127.0.0.1", port, publicKey };
  const remote = new RemoteDevnet({
    address,
    zeroState,
    timers: quickTimers,
    random: () => 0,
    randomBytes,
    fallback: noFallback,
  });
  onTestFinished(() => remote.close());
  const told: string[] = [];
  remote.events.onHead(({ seqno }) => told.push(`head ${seqno}`));
  remote.events.onReverted(() => told.push("reverted"));
  return { remote, told };
}

test.runIf(isLong)(
  "A devnet of another process reports new blocks and reverts, also if it has grown since",
  async () => {
    const port = await freePort();
    const { devnet, publicKey } = await serve(port);
    const { remote, told } = await reach(devnet, publicKey, port);
    expect(await remote.ready(90_000)).toBe(true);
    await until("it being there", () => remote.unavailableReason() === undefined);
    const { id } = await devnet.controls.snapshot();
    await devnet.controls.mine(2);
    await until("two more", () => told.at(-1) === "head 3");
    await devnet.controls.revert(id);
    await until("it going back", () => told.slice(-2).join() === "reverted,head 1");
    await devnet.controls.mine(2);
    await until("it going on", () => told.at(-1) === "head 3");
    expect(told.filter((each) => each === "reverted")).toHaveLength(1);
  },
);

test("A devnet that restarts is reconnected, and counts as reverted if it started from scratch", async () => {
  const port = await freePort();
  const first = await serve(port);
  const { remote, told } = await reach(first.devnet, first.publicKey, port);
  await first.devnet.controls.mine(4);
  await until("its blocks", () => told.at(-1) === "head 5");
  await first.end();
  await until("the loss", () => remote.unavailableReason() === "The devnet cannot be reached");
  await expect(remote.api.getTime()).rejects.toMatchObject({ code: "unavailable" });
  await serve(port);
  await until("the new one", () => told.slice(-2).join() === "reverted,head 1");
  await until("it being there", () => remote.unavailableReason() === undefined);
});

test("A devnet with other zero states is not used", async () => {
  const port = await freePort();
  const { devnet, publicKey } = await serve(port);
  const { init, ...info } = await devnet.api.getMasterchainInfo();
  const another = async () => ({ ...info, init: { ...init, fileHash: randomBytes(32) } });
  const meant = { api: { ...devnet.api, getMasterchainInfo: another } };
  const { remote, told } = await reach(meant, publicKey, port);
  expect(await remote.ready(90_000)).toBe(false);
  expect(remote.unavailableReason()).toBe(
    "The liteserver's chain is not the one of the global configuration",
  );
  expect(told).toEqual([]);
});
