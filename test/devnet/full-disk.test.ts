import { afterEach, describe, expect, it, vi } from "vitest";
import { openDevnet } from "../../server/devnet/open-devnet.js";
import { type DevnetWallet, devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { liteErrorCode } from "../../shared/ton/lite/lite-api.js";
import { isLong } from "../helpers/effort.js";
import { fillDisk } from "../helpers/full-disk.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const reason = "nothing can be written to the data folder: ENOSPC: no space left on device";

describe("a devnet whose disk is full", () => {
  afterEach(() => void vi.restoreAllMocks());

  it("makes no blocks and takes no messages, reports why, and continues when there is space", async () => {
    const directory = temporaryFolder();
    const errors: unknown[] = [];
    const standstills: (string | undefined)[] = [];
    const config = {
      seed: "tonwire",
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
    const [{ wallet }] = (await devnetWallets(config.seed)).prefunded as [DevnetWallet];
    const body = serializeBoc(wallet.order({ seqno: 0, validUntil: 0xffffffff, payments: [] }));
    const disk = await fillDisk(100);
    await expect(devnet.controls.mine(1)).rejects.toMatchObject({ kind: "unavailable", message: reason });
    await expect(devnet.controls.mine(1)).rejects.toMatchObject({ kind: "unavailable" });
    await expect(devnet.api.sendMessage({ body })).rejects.toMatchObject({
      code: liteErrorCode.notReady,
      message: reason,
    });
    expect((await devnet.api.getMasterchainInfo()).last.seqno).toBe(1);
    expect(standstills).toEqual([reason]);
    expect([devnet.unavailableReason(), devnet.degradedReason()]).toEqual([undefined, reason]);

    disk.mockRestore();
    await until("room", () => standstills.length > 1);
    expect(standstills).toEqual([reason, undefined]);
    expect(devnet.degradedReason()).toBeUndefined();
    expect(await devnet.mempool.pending()).toEqual([]);
    await devnet.api.sendMessage({ body });
    expect(await devnet.mempool.pending()).toEqual([body]);
    expect((await devnet.controls.mine(2)).block.seqno).toBe(3);
    await devnet.close();

    if (isLong) {
      const again = await openDevnet(config, environment);
      expect((await again.api.getMasterchainInfo()).last.seqno).toBe(3);
      await again.close();
    }
    expect(errors).toEqual([]);
  });
});
