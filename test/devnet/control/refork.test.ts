import { cpSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { DevnetInfoResult } from "../../../client/api.js";
import { Refork } from "../../../server/devnet/control/refork.js";
import { OriginError } from "../../../server/devnet/fork/origin.js";
import { SwitchedOrigin } from "../../../server/devnet/fork/switched-origin.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { funded, openTestChain, TestWallet, ton } from "../../helpers/chain/devnet.js";
import { DevnetOrigin, openTestFork, settleFork } from "../../helpers/chain/devnet-origin.js";
import { isLong } from "../../helpers/effort.js";
import { freePort } from "../../helpers/free-port.js";
import { folderInRun } from "../../helpers/once-per-run.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

const someone = `0:${"3".repeat(64)}`;

const forkSettings = { mining: "message", clock: "wall" } as const;

describe("a fork with a data folder that begins anew", () => {
  const config = join(folderInRun("tonwire-refork-"), "network.json");
  let network: DevnetService;
  let isOpen = false;
  beforeAll(async () => {
    const liteserver = { liteserverPort: 0, liteserverConfig: config };
    network = await startDevnetService({ mining: "message", clock: "wall", ...liteserver });
    isOpen = true;
  });
  const closeNetwork = async () => {
    if (isOpen) await network.close();
    isOpen = false;
  };
  afterAll(closeNetwork);

  /** In whole TON: storage costs little. */
  const balanceIn = async ({ run }: DevnetService) =>
    Math.round(Number(await run<string>("getAddressBalance", { address: someone })) / 1e9);
  const forkOf = async ({ run }: DevnetService) =>
    (await run<DevnetInfoResult>("devnet.info")).fork as NonNullable<DevnetInfoResult["fork"]>;

  /** An account that was not read before is asked for in vain, which the status shows. */
  async function expectGone(service: DevnetService): Promise<void> {
    const answer = await service.rpc("getAddressBalance", { address: `0:${"4".repeat(64)}` });
    const { error } = answer as { error: { message: string; data: { kind: string } } };
    expect(error.data.kind).toBe("liteserver-error");
    expect(error.message).toMatch(/^LITE_SERVER_NOTREADY: the forked network does not answer: /);
    const ask = (path: string) => fetch(`${service.adminUrl}/${path}`);
    await until("the problem in the status", async () => {
      const { fork } = (await (await ask("status")).json()) as { fork: { problem?: string } };
      return fork.problem !== undefined;
    });
    expect((await ask("healthcheck?only=v2")).status).toBe(503);
    expect(await (await ask("metrics")).text()).toMatch(/^tonwire_fork_failures_total [1-9]/m);
  }

  test.runIf(isLong)("goes on at the block of its start too, and shares the cached answers", async () => {
    const { wallets } = await network.run<DevnetInfoResult>("devnet.info");
    const balances = ({ run }: DevnetService) =>
      Promise.all(wallets.slice(0, 2).map(({ address }) => run("getAddressBalance", { address })));
    const settings = { ...forkSettings, fork: config, data: temporaryFolder() };
    const fork = await startDevnetService(settings);
    await fork.run("getAddressBalance", { address: wallets[0]!.address });
    await fork.run("devnet.fork", { block: (await forkOf(fork)).block.seqno });
    await fork.run("getAddressBalance", { address: wallets[1]!.address });
    await fork.close();
    const again = await startDevnetService(settings);
    onTestFinished(() => again.close());
    expect(await balances(again)).toEqual(await balances(network));
    expect(await forkOf(again)).toMatchObject({ requests: 0 });
  });

  // Ends the network.
  test(`goes on there after a restart without the network${isLong ? ", and a cut write leaves the old fork whole" : ""}`, async () => {
    const data = temporaryFolder();
    const start = (folder = data, adminPort?: number) =>
      startDevnetService({ ...forkSettings, fork: config, data: folder, adminPort });
    const give = (service: DevnetService, amount: number) =>
      service.run("devnet.faucet", { address: someone, amount: `${amount}000000000` });

    const fork = await start();
    expect(await balanceIn(fork)).toBe(0);
    const old = await forkOf(fork);
    await fork.run("devnet.snapshot", { name: "before" });
    await give(fork, 1);
    await give(network, 5);
    const log = join(data, "chain.log");
    const before = statSync(log).size;
    await fork.run("devnet.fork");
    const after = statSync(log).size;
    const moved = await forkOf(fork);
    expect(moved.block.seqno).toBeGreaterThan(old.block.seqno);
    expect(await balanceIn(fork)).toBe(5);
    expect(await fork.run("devnet.snapshots")).toEqual([]);
    await give(fork, 2);
    if (isLong) {
      await expect(fork.run("devnet.fork", { block: 1_000_000 })).rejects.toThrow();
      expect(await forkOf(fork)).toMatchObject({ block: moved.block });
      expect(await balanceIn(fork)).toBe(7);
    }
    await fork.close();
    await closeNetwork();

    const again = await start(data, isLong ? await freePort() : undefined);
    expect(await forkOf(again)).toMatchObject({ block: moved.block, requests: 0 });
    expect(await balanceIn(again)).toBe(7);
    await again.run("devnet.reset");
    expect(await balanceIn(again)).toBe(5);
    expect(await forkOf(again)).toMatchObject({ block: moved.block });
    if (isLong) {
      await expect(again.run("devnet.exportState")).rejects.toThrow("began anew cannot be exported");
      await expectGone(again);
    }
    await again.close();
    if (!isLong) return;
    // A kill in the middle of the write.
    const cut = temporaryFolder();
    cpSync(data, cut, { recursive: true });
    truncateSync(join(cut, "chain.log"), Math.floor((before + after) / 2));
    const kept = await start(cut);
    expect(await forkOf(kept)).toMatchObject({ block: old.block, requests: 0 });
    expect(await balanceIn(kept)).toBe(1);
    expect(await kept.run("devnet.snapshots")).toMatchObject([{ id: "before" }]);
    await kept.close();
  });
});

test("a fork stays as it is without the new block, and if no block can be made with its configuration", async () => {
  const owner = new TestWallet("owner");
  const network = await openTestChain({ accounts: funded([owner], 9n * ton) });
  onTestFinished(() => network.close());
  const first = new DevnetOrigin(network);
  const chain = await openTestFork(first);
  onTestFinished(() => chain.close());
  const origin = new SwitchedOrigin(first);
  const { address } = owner;
  await chain.inject({ from: address, to: address, value: ton, bounce: false });
  await settleFork(chain);
  const head = chain.head;
  const balance = chain.account(0, address.hash)!.account.value!.storage.balance.coins;

  const next = new DevnetOrigin(network);
  const noPrices = beginCell().storeUint(1, 32).endCell();
  const config = decode(ConfigDictionary, next.start.config).update([[20, noPrices]]);
  Object.assign(next, { start: { ...next.start, config: encode(ConfigDictionary, config) } });
  let changes = 0;
  const changed = () => void changes++;
  const gone = () => Promise.reject(new OriginError("unavailable", "the network is gone"));
  const opens = [gone, async () => next];
  const refork = new Refork({
    ...{ chain, origin, isMoved: false },
    open: () => opens.shift()!(),
    onSwitched: changed,
  });
  chain.reverts.add(changed);
  const restart = { offset: chain.clock.offset, reverted: changed };
  for (const kind of ["unavailable", "invalid"])
    await expect(refork.begin(undefined, restart)).rejects.toMatchObject({ kind });
  expect(changes).toBe(0);
  expect(refork.isMoved).toBe(false);
  expect(origin.start).toBe(first.start);
  expect(chain.head).toEqual(head);
  await chain.step();
  expect(chain.account(0, address.hash)!.account.value!.storage.balance.coins).toBe(balance);
});
