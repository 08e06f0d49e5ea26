import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { globalConfigText } from "../../../server/chain/gateway/global-config.js";
import { parseGlobalConfig } from "../../../server/chain/liteservers/global-config.js";
import { shippedFile, shippedNetworks } from "../../../server/chain/networks/shipped.js";
import { renewAnchor, withInitBlock } from "../../../server/process/network/newer-anchor.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { KeyBlockChain } from "../../helpers/chain/key-block-chain.js";
import { silent, zeroStateOf } from "../../helpers/chain/trusted.js";
import { sized } from "../../helpers/effort.js";
import { openGateway } from "../../helpers/peers/gateway-line.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const options = { network: "mainnet", log: silent, now: () => 1_735_690_000_000, withinMs: 600_000 };

const keyBlocks = sized(4, 20);

/** A chain of key blocks behind a liteserver, and its configuration, which vouches for nothing but the zero state. */
async function served(seed?: string) {
  const chain = await KeyBlockChain.open(seed);
  onTestFinished(() => chain.close());
  await chain.keyBlocks(keyBlocks);
  await chain.blocks(2);
  const { gateway, address } = await openGateway(chain.api);
  onTestFinished(() => gateway.close());
  const zeroState = await zeroStateOf(chain.api);
  const path = join(temporaryFolder(), "network.json");
  writeFileSync(path, globalConfigText({ ...address, zeroState }));
  const renew = (servers = [address]) => renewAnchor(path, readFileSync(path, "utf8"), servers, options);
  const anchor = () => parseGlobalConfig(readFileSync(path, "utf8")).initBlock;
  return { chain, address, path, renew, anchor };
}

test("a newer anchor is the newest key block that liteservers of its chain prove from the one before", async () => {
  const { chain, path, renew, anchor } = await served();
  expect(await renew()).toBe(keyBlocks);
  const newest = { workchain: masterchain, shard: wholeShard, seqno: keyBlocks };
  expect(anchor()).toEqual((await chain.api.lookupBlock({ id: newest, bySeqno: true })).id);
  expect(await renew()).toBeUndefined();
  await chain.keyBlocks(1);
  const { last: next } = await chain.api.getMasterchainInfo();
  expect(await renew()).toBe(next.seqno);
  expect(anchor()).toEqual(next);

  const before = readFileSync(path, "utf8");
  const other = await served("another chain");
  await expect(renew([other.address])).rejects.toThrow(
    `no liteserver of mainnet proved its newest block from block ${next.seqno}`,
  );
  expect(readFileSync(path, "utf8")).toBe(before);
});

test.each(shippedNetworks)("a newer anchor changes nothing else in the file of %s", (network) => {
  const text = readFileSync(shippedFile(network), "utf8");
  const { initBlock, ...rest } = parseGlobalConfig(text);
  const block = { ...initBlock!, seqno: initBlock!.seqno + 1, rootHash: new Uint8Array(32).fill(7) };
  const renewed = withInitBlock(text, block);
  expect(parseGlobalConfig(renewed)).toEqual({ ...rest, initBlock: block });
  expect(withInitBlock(renewed, initBlock!).length).toBeLessThan(text.length + 100);
  expect(() => withInitBlock(text.replace("init_block", "other"), block)).toThrow("no init block");
});
