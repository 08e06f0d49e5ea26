import { serveChain } from "../../../server/chain/serve/serve.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { sha256 } from "../../../shared/ton/cells/sha256.js";
import { type LiteApi, LiteError } from "../../../shared/ton/lite/lite-api.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { BlockExtra } from "../../../shared/ton/tlb/block-extra.js";
import { type BlockIdExt, formatBlockId, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { BlockInfo } from "../../../shared/ton/tlb/block-info.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { McBlockExtra } from "../../../shared/ton/tlb/mc-block-extra.js";
import {
  childShard,
  type RegisteredShard,
  registeredShards,
  shardHashesOf,
} from "../../../shared/ton/tlb/shard-hashes.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { foundIn } from "../../../shared/values/lookups.js";
import { openTestChain, ton } from "./devnet.js";

/** Receivers of a payment in the first block, one in each half of the basechain. */
export const receiversOfHalves = [0x11, 0x99].map((byte) => new Address(0, new Uint8Array(32).fill(byte)));

const unread = () => Promise.reject(new Error("this chain has no such answers"));

/**
 * A network whose first masterchain block registers the basechain as two shards, each with its first block. The halves are the
 * basechains of two devnets; the chain ends with this block, and is not proven.
 */
export async function twoShardsFromTheFirst(): Promise<{ lite: LiteApi; blocks: readonly BlockIdExt[] }> {
  const halves = await Promise.all(receiversOfHalves.map(firstBlocks));
  const served = halves.map(({ shard, registered }, at) => relabelled(shard, registered, at === 1));
  const [{ lite, masterchain }] = halves as [(typeof halves)[0]];
  const block = decode(Block, masterchain);
  const extra = block.extra.value;
  const { value: custom } = extra.custom!;
  const shardHashes = shardHashesOf(served.map(({ registered }) => registered));
  const own = fileOf(-1, wholeShard, {
    ...block,
    extra: CellOf.of(BlockExtra, { ...extra, custom: CellOf.of(McBlockExtra, { ...custom, shardHashes }) }),
  });
  const files = new Map([own, ...served].map(({ id, data }) => [formatBlockId(id), data]));
  const info = await lite.getMasterchainInfo();
  const alone: Partial<LiteApi> = {
    getMasterchainInfo: async () => ({ ...info, last: own.id }),
    lookupBlock: async ({ id }) => {
      if (id.seqno === 1) return { id: own.id, headerProof: new Uint8Array(0) };
      throw new LiteError(651, `block ${id.seqno} is not in db`);
    },
    async getBlock({ id }) {
      const data = files.get(formatBlockId(id));
      if (!data) throw new LiteError(651, `block ${formatBlockId(id)} is not in db`);
      return { id, data };
    },
    // Only accounts of the masterchain are read, which are those of the first devnet.
    getAccountState: (request, call) => lite.getAccountState({ ...request, id: info.last }, call),
  };
  return { lite: { ...lite, ...alone }, blocks: [own, ...served].map(({ id }) => id) };
}

/** The first blocks of a devnet that pays to an account. */
async function firstBlocks(to: Address) {
  const storage = new ChainStore();
  const chain = await openTestChain({ seed: bytesToHex(to.hash), storage });
  const from = new Address(0, new Uint8Array(32));
  await chain.step({ injected: [{ from, to, value: ton, bounce: false }] });
  const lite = serveChain(new ServedDevnet(storage), {
    methods: { runMethod: unread, randomBytes: (count) => new Uint8Array(count) },
    sendMessage: unread,
    now: () => 0,
  });
  const read = async (workchain: number) => {
    const { id } = await lite.lookupBlock({ id: { workchain, shard: wholeShard, seqno: 1 }, bySeqno: true });
    return parseBocRoot((await lite.getBlock({ id })).data);
  };
  const [masterchain, shard] = [await read(-1), await read(0)];
  const { shardHashes } = decode(Block, masterchain).extra.value.custom!.value;
  await chain.close();
  return { lite, masterchain, shard, registered: foundIn(registeredShards(shardHashes), () => true) };
}

/** The block of the whole basechain as that of a half. */
function relabelled(root: Parameters<typeof decode>[1], registered: RegisteredShard, isRight: boolean) {
  const shard = childShard(wholeShard, isRight);
  const block = decode(Block, root);
  const info = { ...block.info.value, shardId: { workchain: 0, shard }, afterSplit: true };
  const file = fileOf(0, shard, { ...block, info: CellOf.of(BlockInfo, info) });
  const { rootHash, fileHash } = file.id;
  return { ...file, registered: { workchain: 0, shard, descr: { ...registered.descr, rootHash, fileHash } } };
}

function fileOf(workchain: number, shard: bigint, block: Block): { id: BlockIdExt; data: Uint8Array } {
  const root = encode(Block, block);
  const data = serializeBoc(root);
  const id = { workchain, shard, seqno: 1, rootHash: root.hash(), fileHash: new Uint8Array(sha256(data)) };
  return { id, data };
}
