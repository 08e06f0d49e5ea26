import { serveChain } from "../../../server/chain/serve/serve.js";
import type { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { createMerkleUpdate } from "../../../shared/ton/cells/merkle/merkle-update.js";
import { sha256 } from "../../../shared/ton/cells/sha256.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { ShardAccountBlocks } from "../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { BlockExtra } from "../../../shared/ton/tlb/block-extra.js";
import {
  accountPrefix,
  type BlockIdExt,
  masterchain,
  shardContainsPrefix,
  wholeShard,
} from "../../../shared/ton/tlb/block-id.js";
import { BlockInfo } from "../../../shared/ton/tlb/block-info.js";
import { blkPrevInfo } from "../../../shared/ton/tlb/block-ref.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ShardAccounts } from "../../../shared/ton/tlb/shard-account.js";
import { childShard } from "../../../shared/ton/tlb/shard-hashes.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { RecordedChain } from "./replay/recorded-chain.js";

/** A block with the state after it. */
type Made = { id: BlockIdExt; root: Cell; state: Cell };

const unread = () => Promise.reject(new Error("this chain has no such answers"));

/**
 * The chain of a devnet whose basechain is split in its last block but one, and merged in its last block. Each half has its
 * accounts with their transactions. The masterchain is unchanged, so it does not register these blocks.
 */
export async function splitAndMerged(
  store: ChainStore,
): Promise<{ lite: LiteApi; halves: readonly BlockIdExt[]; merged: BlockIdExt }> {
  const devnet = new ServedDevnet(store);
  const seqnos = Array.from({ length: devnet.last.seqno }, (_, at) => at + 1);
  const blocksOf = (workchain: number) =>
    Promise.all(seqnos.map((seqno) => madeBlock(devnet, workchain, seqno)));
  const [masters, basechain] = await Promise.all([blocksOf(masterchain), blocksOf(0)]);
  const parent = itemAt(basechain, -3);
  const halves = [false, true].map((isRight) => halfOf(itemAt(basechain, -2), parent, isRight));
  const merged = mergedOf(itemAt(basechain, -1), halves);
  const chain = new RecordedChain([
    {
      archived: [...masters, ...basechain.slice(0, -2), ...halves, merged].map(({ id, root }) => ({
        kind: "block",
        id,
        data: serializeBoc(root),
      })),
      network: undefined,
      blocks: [],
      states: [store.genesis.masterchain, store.genesis.basechain].map(({ id, boc }) => ({
        id,
        network: undefined,
        read: () => boc,
      })),
      proofs: [],
      answers: [],
    },
  ]);
  const lite = serveChain(chain, {
    methods: { runMethod: unread, randomBytes: (count) => new Uint8Array(count) },
    sendMessage: unread,
    now: () => 0,
  });
  return { lite, halves: halves.map(({ id }) => id), merged: merged.id };
}

async function madeBlock(devnet: ServedDevnet, workchain: number, seqno: number): Promise<Made> {
  const id = (await devnet.find(workchain, wholeShard, { seqno }))!;
  const [block, state] = await Promise.all([devnet.block(id), devnet.state(id)]);
  return { id, root: block!.root, state: state! };
}

/** A half of a block of the whole basechain, whose state update begins at the state of the whole. */
function halfOf({ id, root, state }: Made, parent: Made, isRight: boolean): Made {
  const shard = childShard(wholeShard, isRight);
  const isOwn = ([account]: [Uint8Array, unknown]) => shardContainsPrefix(shard, accountPrefix(account));
  const { accounts, ...whole } = decode(ShardStateUnsplit, state);
  const ownState = encode(ShardStateUnsplit, {
    ...whole,
    shardId: { workchain: 0, shard },
    accounts: CellOf.of(
      ShardAccounts,
      ShardAccounts.empty.update([...accounts.value.entries()].filter(isOwn)),
    ),
  });
  const block = decode(Block, root);
  const { accountBlocks, ...extra } = block.extra.value;
  const ownBlocks = ShardAccountBlocks.empty.update([...accountBlocks.value.entries()].filter(isOwn));
  return rebuilt(
    { ...id, shard },
    {
      ...block,
      info: CellOf.of(BlockInfo, {
        ...block.info.value,
        shardId: { workchain: 0, shard },
        afterSplit: true,
      }),
      extra: CellOf.of(BlockExtra, { ...extra, accountBlocks: CellOf.of(ShardAccountBlocks, ownBlocks) }),
    },
    { before: parent.state, after: ownState },
  );
}

/** A block of the whole basechain as one that merges two halves. */
function mergedOf({ id, root, state }: Made, halves: readonly Made[]): Made {
  const block = decode(Block, root);
  const info = block.info.value;
  const previous = halves.map(({ id: { seqno, rootHash, fileHash } }) => ({
    endLt: info.startLt,
    ...{ seqno, rootHash, fileHash },
  }));
  const [left, right] = halves as [Made, Made];
  // split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState;
  const before = beginCell().storeUint(0x5f327da5, 32).storeRef(left.state).storeRef(right.state).endCell();
  return rebuilt(
    id,
    {
      ...block,
      info: CellOf.of(BlockInfo, {
        ...info,
        afterMerge: true,
        prevRef: CellOf.of(blkPrevInfo(true), previous),
      }),
    },
    { before, after: state },
  );
}

function rebuilt(
  id: BlockIdExt,
  block: Omit<Block, "stateUpdate">,
  { before, after }: { before: Cell; after: Cell },
): Made {
  const root = encode(Block, {
    ...block,
    stateUpdate: createMerkleUpdate(before, after, { keepOldLevels: 3 }),
  });
  const fileHash = new Uint8Array(sha256(serializeBoc(root)));
  return { id: { ...id, rootHash: root.hash(), fileHash }, root, state: after };
}
