import { afterAll, beforeAll } from "vitest";
import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { type ChainApp, firstBlocks, startChainApp } from "../helpers/http/chain-app.js";
import { openGateway } from "../helpers/peers/gateway-line.js";
import { openLiteservers, verifierFor } from "../helpers/peers/open-liteservers.js";
import { type ChainData, describeWithChain } from "../helpers/test-data.js";

export type BlockId = {
  workchain: number;
  shard: string;
  seqno: number;
  root_hash: string;
  file_hash: string;
};
export type Short = { account: string; lt: string; hash: string };
export type Listing = { id: BlockId; req_count: number; incomplete: boolean; transactions: Short[] };

export const whole = "-9223372036854775808";
/** The shard of the masterchain in a query. */
export const masterchain = `workchain=-1&shard=${whole}`;
export const elector = `-1:${"3".repeat(64)}`;

/** The interface over recorded blocks, and the blocks themselves. */
type Opened = { app: ChainApp; lite: LiteApi; close(): Promise<void> };

/** Data for a suite; the functions work in its tests. */
type Mainnet = {
  data: ChainData;
  /** The newest masterchain block. */
  newest: number;
  /** The result of a v2 method. */
  result<T>(path: string): Promise<T>;
  ask: ChainApp["ask"];
  /** The id of a block as answers show it. */
  idOf(workchain: number, shard: bigint, seqno: number): Promise<object>;
};

/** A suite over the first blocks of mainnet, read through liteservers whose answers are verified. */
export function describeMainnet(title: string, body: (mainnet: Mainnet) => void): void {
  describeWithChain(title, (data) => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await openThroughLiteservers(data);
    });
    afterAll(() => opened.close());
    body({
      data,
      newest: data.newest,
      result: (path) => opened.app.result(path),
      ask: (path) => opened.app.ask(path),
      idOf: async (workchain, shard, seqno) =>
        wireId((await opened.lite.lookupBlock({ id: { workchain, shard, seqno }, bySeqno: true })).id),
    });
  });
}

async function openThroughLiteservers(data: ChainData): Promise<Opened> {
  const lite = firstBlocks(data);
  const gateways = await Promise.all([lite, lite, lite].map((api) => openGateway(api)));
  const servers = gateways.map(({ address }) => address);
  const pool = await openLiteservers(lite, servers, { verify: await verifierFor(lite) });
  const app = await startChainApp(pool.api);
  return {
    app,
    lite,
    async close() {
      await app.close();
      pool.close();
      for (const { gateway } of gateways) await gateway.close();
    },
  };
}

function wireId({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt) {
  return {
    "@type": "ton.blockIdExt",
    workchain,
    shard: BigInt.asIntN(64, shard).toString(),
    seqno,
    root_hash: bytesToBase64(rootHash),
    file_hash: bytesToBase64(fileHash),
  };
}

/** A shard of an answer as the chain numbers shards. */
export function unsigned(shard: string): bigint {
  return BigInt.asUintN(64, BigInt(shard));
}
