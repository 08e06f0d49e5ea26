import { afterEach, describe, expect, it, vi } from "vitest";
import { openDevnet } from "../../server/devnet/devnet.js";
import { ChainStore } from "../../server/devnet/storage/chain-store.js";
import { liteErrorCode } from "../../shared/ton/lite/lite-api.js";
import { funded, openTestChain, TestWallet } from "../helpers/chain/devnet.js";
import { isLong } from "../helpers/effort.js";
import { fillDisk } from "../helpers/full-disk.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const reason = "nothing can be written to the data folder: ENOSPC: no space left on device";

describe("a devnet whose disk is full", () => {
  afterEach(() => void vi.restoreAllMocks());

  it("makes no blocks, reports why, and continues when there is space", async () => {
    const directory = temporaryFolder();
    const errors: unknown[] = [];
    const standstills: (string | undefined)[] = [];
    const config = {
      seed: "test",
      directory,
      mining: { mode: "manual" as const, intervalMs: 1000 },
      clock: "fixed" as const,
      rewards: false,
      story: false,
    };
    const environment = {
      nowMs: () => 0,
      onError: (error: unknown) => errors.push(error),
      onDegraded: (told: string | undefined) => void standstills.push(told),
    };
    const devnet = await openDevnet(config, environment);
    const disk = await fillDisk(100);
    await expect(devnet.controls.mine(1)).rejects.toMatchObject({ kind: "unavailable", message: reason });
    await expect(devnet.controls.mine(1)).rejects.toMatchObject({ kind: "unavailable" });
    expect((await devnet.api.getMasterchainInfo()).last.seqno).toBe(1);
    expect(standstills).toEqual([reason]);
    expect([devnet.unavailableReason(), devnet.degradedReason()]).toEqual([undefined, reason]);

    disk.mockRestore();
    await until("room", () => standstills.length > 1);
    expect(standstills).toEqual([reason, undefined]);
    expect(devnet.degradedReason()).toBeUndefined();
    expect((await devnet.controls.mine(2)).block.seqno).toBe(3);
    await devnet.close();

    if (isLong) {
      const again = await openDevnet(config, environment);
      expect((await again.api.getMasterchainInfo()).last.seqno).toBe(3);
      await again.close();
    }
    expect(errors).toEqual([]);
  });

  it("refuses messages with the code for not ready, and accepts them again later", async () => {
    const sender = new TestWallet("sender");
    const told: unknown[] = [];
    const storage = new ChainStore(temporaryFolder(), undefined, (failure) => told.push(failure));
    const chain = await openTestChain({ accounts: funded([sender]), storage });
    const order = sender.pay({ to: sender.address, value: 1n });
    const disk = await fillDisk(0);
    await expect(chain.sendTrusted(order)).rejects.toMatchObject({
      code: liteErrorCode.notReady,
      message: reason,
    });
    expect(chain.mempool.size).toBe(0);
    disk.mockRestore();
    await until("room", () => told.length === 2);
    await chain.sendTrusted(order);
    expect(chain.mempool.size).toBe(1);
    await chain.close();
  });
});
