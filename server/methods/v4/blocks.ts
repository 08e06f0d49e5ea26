import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { v4BlockMethods } from "../../../shared/methods/v4/blocks.js";
import { presentBoc } from "../../../shared/ton/present/records.js";
import { presentV4BlockId, presentV4Shard } from "../../../shared/ton/present/v4/records.js";
import type { ConfigView } from "../../../shared/ton/proofs/read/config.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { knownParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { ServiceError } from "../../errors.js";
import { inHistory } from "./history.js";

export type V4BlockDeps = {
  reader: Pick<
    ChainReader,
    | "last"
    | "lastSeenAt"
    | "zeroState"
    | "blockAt"
    | "lookup"
    | "header"
    | "newShardBlocks"
    | "listBlock"
    | "config"
    | "supply"
  >;
};
type Reader = V4BlockDeps["reader"];

const none = { exist: false } as const;
/** More than a block of any size has. */
const maxTransactions = 1 << 16;

export const v4BlockHandlers: Handlers<typeof v4BlockMethods, V4BlockDeps> = {
  async latest(_params, { reader }, call) {
    const { last, zeroState } = reader;
    // A zero state has no header; its root hash is that of the state.
    const header = last.seqno === 0 ? undefined : await reader.header(last, call);
    const { fileHash, rootHash } = presentV4BlockId(zeroState);
    return {
      last: presentV4BlockId(last),
      init: { fileHash, rootHash },
      stateRootHash: bytesToBase64(header?.stateHash ?? last.rootHash),
      now: header?.info.genUtime ?? Math.floor(reader.lastSeenAt / 1000),
    };
  },

  async block({ seqno }, { reader }, call) {
    if (seqno <= 0) return none;
    if (seqno > reader.last.seqno) return laterPerhaps(call);
    const read = async () => shardsOf(await reader.blockAt(seqno, call), reader, call);
    return { exist: true, block: await inHistory(seqno, reader, read) };
  },

  async blockByUtime({ utime }, { reader }, call) {
    if (utime <= 0) return none;
    const { last } = reader;
    // The reference waits for 12 seconds; a later block cannot be the first one any more once the last is as late.
    if (last.seqno === 0 || (await reader.header(last, call)).info.genUtime < utime)
      return laterPerhaps(call);
    const place = { workchain: masterchain, shard: wholeShard };
    const read = async () => shardsOf(await reader.lookup({ ...place, utime }, call), reader, call);
    return { exist: true, block: await inHistory(last.seqno, reader, read) };
  },

  async config({ seqno, ids = [] }, { reader }, call) {
    if (seqno <= 0) return none;
    const read = async () => {
      const block = await reader.blockAt(seqno, call);
      return Promise.all([reader.config(block), reader.supply(block, call)]);
    };
    const [config, supply] = await inHistory(seqno, reader, read, "Block is not available");
    return {
      exist: true,
      config: {
        cell: presentBoc(ids.length > 0 ? someOf(config, ids) : config.root),
        address: new Address(masterchain, knownParam(config.params, 0)).toFriendly(),
        globalBalance: { coins: supply.toString() },
      },
    };
  },
};

/** There may be such a block soon, so this answer is not kept. */
function laterPerhaps(call: Call): typeof none {
  call.provisional = true;
  return none;
}

/** A masterchain block and the shard blocks that are new in it, with their transactions. */
async function shardsOf(block: BlockIdExt, reader: Reader, call: Call) {
  const blocks = [block, ...(await reader.newShardBlocks(block, call))];
  const shards = blocks.map(async (id) => {
    const { transactions, incomplete } = await reader.listBlock({ block: id, count: maxTransactions }, call);
    if (incomplete) throw new Error(`block ${id.seqno} has more than ${maxTransactions} transactions`);
    return presentV4Shard(id, transactions);
  });
  return { shards: await Promise.all(shards) };
}

function someOf({ params }: ConfigView, ids: readonly number[]) {
  const found = [...new Set(ids)].flatMap((id) => {
    const value = params.get(id);
    return value ? [[id, value] as const] : [];
  });
  const { root } = ConfigDictionary.empty.update(found);
  if (!root) throw new ServiceError("absent", "the configuration has none of these parameters");
  return root;
}
