import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseBoc } from "../../shared/ton/cells/boc/boc.js";
import { openMerkleProof } from "../../shared/ton/cells/merkle/proof.js";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import { testAddress } from "../helpers/contracts/contracts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

const whole = "-9223372036854775808";

type BlockId = {
  "@type": string;
  workchain: number;
  shard: string;
  seqno: number;
  root_hash: string;
  file_hash: string;
};
type Header = { start_lt: string; end_lt: string; gen_utime: number };

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
  await service.run("devnet.faucet", { address: testAddress("1") });
  await service.mine(2);
});
afterAll(() => service.close());

const head = async () => (await service.run<{ last: BlockId }>("getMasterchainInfo")).last;
const idOf = (workchain: number, seqno: number) =>
  service.run<BlockId>("lookupBlock", { workchain, shard: whole, seqno });
const headerOf = (workchain: number, seqno: number) =>
  service.run<Header>("getBlockHeader", { workchain, shard: whole, seqno });
const hash = expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/);

describe("getMasterchainInfo", () => {
  it("names the last block and the zero state, which has no shard", async () => {
    const { zero_states } = await service.run<{ zero_states: { masterchain: BlockId } }>("devnet.info");
    const { seqno } = await head();
    expect(await service.run("getMasterchainInfo")).toEqual({
      "@type": "blocks.masterchainInfo",
      last: await idOf(-1, seqno),
      state_root_hash: hash,
      init: {
        "@type": "ton.blockIdExt",
        workchain: -1,
        shard: "0",
        seqno: 0,
        root_hash: zero_states.masterchain.root_hash,
        file_hash: zero_states.masterchain.file_hash,
      },
    });
  });

  it("sends the version of the interface with every answer", async () => {
    for (const path of ["getMasterchainInfo", "getShards?seqno=0", "getShards?seqno=9999999"]) {
      const { status, headers, json } = await service.get(`/api/v2/${path}`);
      expect(headers.get("X-API-Version")).toMatch(/^2\.2\.\d+$/);
      const { ok, code } = json as { ok: boolean; code?: number };
      expect([ok, code]).toEqual(status === 200 ? [true, undefined] : [false, status]);
    }
  });

  it("names a block as soon as the call that made it is answered, as all reads of the last block do", async () => {
    for (let i = 0; i < 5; i++) {
      const seqno = await service.mine();
      const last = await head();
      expect(last.seqno).toBe(seqno);
      expect(await service.run("getConsensusBlock")).toMatchObject({ consensus_block: seqno });
      expect(await service.run("getAddressInformation", { address: testAddress("2") })).toMatchObject({
        block_id: last,
      });
    }
  });
});

describe("getConsensusBlock", () => {
  it("names the last masterchain block", async () => {
    expect(await service.run("getConsensusBlock")).toEqual({
      "@type": "ext.blocks.consensusBlock",
      consensus_block: (await head()).seqno,
      timestamp: expect.any(Number),
    });
  });
});

describe("lookupBlock", () => {
  it("finds a block by its number, a logical time within it, or its time", async () => {
    const { seqno } = await head();
    const id = await idOf(-1, seqno);
    expect(id).toEqual({
      "@type": "ton.blockIdExt",
      workchain: -1,
      shard: whole,
      seqno,
      root_hash: hash,
      file_hash: hash,
    });
    const { start_lt, end_lt, gen_utime } = await headerOf(-1, seqno);
    for (const by of [{ lt: start_lt }, { lt: end_lt }, { unixtime: gen_utime }])
      expect(await service.run("lookupBlock", { workchain: -1, shard: whole, ...by })).toEqual(id);
  });
});

describe("getShards", () => {
  it("lists the newest block of each shard as of a masterchain block", async () => {
    const { seqno } = await head();
    const answer = await service.run<{ shards: BlockId[] }>("getShards", { seqno });
    expect(answer).toEqual({
      "@type": "blocks.shards",
      shards: [await idOf(0, answer.shards[0]!.seqno)],
    });
  });

  it("has the alias shards", async () => {
    const { seqno } = await head();
    expect(await service.run("shards", { seqno })).toEqual(await service.run("getShards", { seqno }));
  });
});

describe("getBlockHeader", () => {
  it("shows the header of a masterchain block", async () => {
    const { seqno } = await head();
    const header = await headerOf(-1, seqno);
    expect(header).toEqual({
      "@type": "blocks.header",
      id: await idOf(-1, seqno),
      global_id: -20250,
      version: 0,
      flags: expect.any(Number),
      after_merge: false,
      after_split: false,
      before_split: false,
      want_merge: expect.any(Boolean),
      want_split: false,
      validator_list_hash_short: expect.any(Number),
      catchain_seqno: expect.any(Number),
      min_ref_mc_seqno: expect.any(Number),
      is_key_block: false,
      prev_key_block_seqno: expect.any(Number),
      start_lt: expect.stringMatching(/^\d+$/),
      end_lt: expect.stringMatching(/^\d+$/),
      gen_utime: expect.any(Number),
      vert_seqno: 0,
      prev_blocks: [await idOf(-1, seqno - 1)],
    });
  });

  it("refuses hashes of another block", async () => {
    const { seqno } = await head();
    const { root_hash, file_hash } = await idOf(-1, seqno - 1);
    const { status, json } = await service.post("/api/v2/getBlockHeader", {
      workchain: -1,
      shard: whole,
      seqno,
      root_hash,
      file_hash,
    });
    expect([status, json]).toMatchObject([500, { error: expect.stringMatching(/^LITE_SERVER_/) }]);
  });
});

describe("getMasterchainBlockSignatures", () => {
  it("gives the signature of the devnet's validator", async () => {
    const { seqno } = await head();
    expect(await service.run("getMasterchainBlockSignatures", { seqno })).toEqual({
      "@type": "blocks.blockSignatures",
      id: await idOf(-1, seqno),
      signatures: [
        {
          "@type": "blocks.signature",
          node_id_short: hash,
          signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
        },
      ],
    });
  });
});

describe("getShardBlockProof", () => {
  it("links a block of the basechain to a masterchain block", async () => {
    const { seqno: from_seqno } = await head();
    const { shards } = await service.run<{ shards: BlockId[] }>("getShards", { seqno: from_seqno });
    const { workchain, shard, seqno } = shards[0]!;
    const proof = await service.run<{ mc_id: BlockId; links: { id: BlockId; proof: string }[] }>(
      "getShardBlockProof",
      { workchain, shard, seqno, from_seqno },
    );
    expect(proof).toEqual({
      "@type": "blocks.shardBlockProof",
      from: await idOf(-1, from_seqno),
      mc_id: await idOf(-1, from_seqno),
      links: [{ "@type": "blocks.shardBlockLink", id: shards[0], proof: expect.stringMatching(/^te6cc/) }],
      mc_proof: [],
    });
    const [root] = parseBoc(base64ToBytes(proof.links[0]!.proof)!);
    expect(bytesToBase64(openMerkleProof(root!).hash())).toBe(proof.mc_id.root_hash);
  });

  it("needs no links for the trusted block itself", async () => {
    const id = await head();
    const { workchain, shard, seqno } = id;
    const params = { workchain, shard, seqno, from_seqno: seqno };
    expect(await service.run("getShardBlockProof", params)).toEqual({
      "@type": "blocks.shardBlockProof",
      from: id,
      mc_id: id,
      links: [],
      mc_proof: [],
    });
  });
});

describe("getOutMsgQueueSize", () => {
  it("counts the messages that wait in each shard", async () => {
    const { seqno } = await head();
    const { shards } = await service.run<{ shards: BlockId[] }>("getShards", { seqno });
    expect(await service.run("getOutMsgQueueSize")).toEqual({
      "@type": "blocks.outMsgQueueSizes",
      shards: [await idOf(-1, seqno), shards[0]].map((id) => ({
        "@type": "blocks.outMsgQueueSize",
        id,
        size: 0,
      })),
      ext_msg_queue_size_limit: expect.any(Number),
    });
  });
});
