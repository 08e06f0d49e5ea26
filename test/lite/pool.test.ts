import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { wire } from "../../shared/ton/tl/codecs.js";
import { encodeQuery, queryOf } from "../../shared/ton/tl/lite-functions.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { byPost } from "../helpers/http/lite-app.js";
import { startService } from "../helpers/services/service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const account = { workchain: -1, id: new Uint8Array(32).fill(0x55) };

test("a service that reads liteservers passes their bytes on, proofs included", async () => {
  const globalConfig = join(temporaryFolder(), "devnet.json");
  const devnet = await startService({
    liteserverPort: 0,
    liteserverConfig: globalConfig,
    anonymousRps: "unlimited",
  });
  onTestFinished(() => devnet.close());
  await devnet.rpc("devnet.mine", { blocks: 3 });
  const reading = await startService({
    ...{ network: "testnet", globalConfig, anonymousRps: "unlimited" },
    healthMaxHeadAge: 1_000_000_000,
  });
  onTestFinished(() => reading.close());
  const newest = encodeQuery(queryOf("getMasterchainInfo", {}));
  const head = Buffer.from(await byPost(devnet)(newest));
  await until("the head", async () => head.equals(await byPost(reading)(newest)));
  const id = wire.decode(head).value["last"] as BlockIdExt;
  const zero = { ...id, ...(wire.decode(head).value["init"] as object), seqno: 0 };
  for (const query of [
    queryOf("getAccountState", { id, account }),
    queryOf("getAllShardsInfo", { id }),
    queryOf("getConfigParams", { id, paramList: [34] }),
    queryOf("getBlockProof", { knownBlock: zero, targetBlock: id }),
    queryOf("listBlockTransactions", { id, count: 10, account: true, lt: true, proof: true }),
    queryOf("getBlockHeader", { id: { ...id, rootHash: account.id } }),
    queryOf("sendMessage", { body: Uint8Array.of(1, 2, 3) }),
  ].map(encodeQuery)) {
    const there = Buffer.from(await byPost(devnet)(query));
    expect(Buffer.from(await byPost(reading)(query))).toEqual(there);
  }
});
