import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Devnet, DevnetConfig } from "../../../server/devnet/devnet.js";
import { DevnetError } from "../../../server/devnet/devnet-error.js";
import { DevnetThread } from "../../../server/devnet/thread/devnet-thread.js";
import { isSetupError } from "../../../server/errors.js";
import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { TestWallet, ton } from "../../helpers/chain/devnet.js";
import { folderInRun } from "../../helpers/once-per-run.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const config: DevnetConfig = {
  seed: "tonwire",
  mining: { mode: "manual", intervalMs: 1000 },
  clock: "fixed",
  rewards: false,
  story: false,
};
const account = { workchain: 0, id: new Uint8Array(32).fill(0x42) };

describe("a devnet in its own thread", () => {
  const directory = folderInRun("tonwire-thread-");
  let devnet: Devnet;
  const errors: Error[] = [];
  beforeAll(async () => {
    devnet = await DevnetThread.start({ ...config, directory }, { onError: (error) => errors.push(error) });
  });
  afterAll(async () => {
    await devnet.close();
    expect(errors).toEqual([]);
  });

  it("has a first block when it starts", async () => {
    const { last } = await devnet.api.getMasterchainInfo();
    expect(last.seqno).toBe(1);
    expect((await devnet.api.getBlock({ id: last })).id).toEqual(last);
  });

  it("executes controls and reports new heads", async () => {
    const heads: BlockIdExt[] = [];
    const stop = devnet.events.onHead((head) => heads.push(head));
    const receipt = await devnet.controls.faucet(account, 5n * ton);
    stop();
    expect(heads.at(-1)).toEqual(receipt.block);
    const { last } = await devnet.api.getMasterchainInfo();
    const { transaction } = await devnet.api.getOneTransaction({
      id: (await devnet.api.getAccountState({ id: last, account })).shardblk,
      account,
      lt: receipt.lt,
    });
    expect(transaction.length).toBeGreaterThan(0);
    const { block } = await devnet.controls.setBalance(account, 7n * ton);
    expect(await devnet.events.edited(block.seqno)).toEqual([account]);
    expect(await devnet.events.edited(block.seqno - 1)).toEqual([]);
  });

  it("rejects with errors of the original class", async () => {
    const { last } = await devnet.api.getMasterchainInfo();
    const unknownBlock = devnet.api.getBlock({ id: { ...last, seqno: 999 } });
    await expect(unknownBlock).rejects.toBeInstanceOf(LiteError);
    await expect(unknownBlock).rejects.toMatchObject({ code: 651 });
    const unknownSnapshot = devnet.controls.revert("99");
    await expect(unknownSnapshot).rejects.toBeInstanceOf(DevnetError);
    await expect(unknownSnapshot).rejects.toMatchObject({ kind: "not-found" });
  });

  it("cancels a call when its caller does", async () => {
    const controller = new AbortController();
    const { last } = await devnet.api.getMasterchainInfo();
    const waiting = devnet.api.getTime({}, { waitSeqno: last.seqno + 50, signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 653 });
    await expect(devnet.api.getTime({}, { signal: controller.signal })).rejects.toMatchObject({ code: 653 });
  });

  it("returns the mempool and reports accepted messages", async () => {
    const wallet = new TestWallet("threaded");
    await devnet.controls.faucet({ workchain: 0, id: wallet.address.hash }, 5n * ton);
    const heard = new Promise((resolve) => devnet.mempool.onAccepted(resolve));
    const message = wallet.pay({ to: wallet.address, value: ton, bounce: false });
    expect(await devnet.api.sendMessage({ body: message })).toEqual({ status: 1 });
    expect(await heard).toEqual(message);
    expect(await devnet.mempool.pending()).toEqual([message]);
    await devnet.controls.mine(1);
    expect(await devnet.mempool.pending()).toEqual([]);
  });

  it("reports reverts", async () => {
    const { id, block } = await devnet.controls.snapshot();
    const reverted = new Promise((resolve) => devnet.events.onReverted(resolve));
    await devnet.controls.mine(2);
    await devnet.controls.revert(id);
    expect(await reverted).toBe(block.seqno);
    expect((await devnet.api.getMasterchainInfo()).last).toEqual(block);
  });

  it("rejects calls after close", async () => {
    const other = await DevnetThread.start(
      { ...config, seed: "tonwire" },
      { onError: (error) => errors.push(error) },
    );
    await other.close();
    await expect(other.api.getTime()).rejects.toMatchObject({ code: 651 });
  });

  it("does not start in an impossible directory", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const error = await DevnetThread.start({ ...config, directory: file }, { onError() {} }).catch(
      (reason) => reason,
    );
    expect(isSetupError(error) && error.message).toBe(`${file} cannot be a folder: ${file} is a file`);
  });

  it("reports that another process uses its directory", async () => {
    const error = await DevnetThread.start({ ...config, directory }, { onError() {} }).catch(
      (reason: unknown) => reason,
    );
    expect(isSetupError(error) && error.message).toBe(`${directory}/lock is held by process ${process.pid}`);
  });
});
