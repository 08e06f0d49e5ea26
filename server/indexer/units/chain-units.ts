import { addressOfId } from "../../../shared/ton/lite/account-id.js";
import type { AccountId, LiteApi, LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { previousBlockIds } from "../../../shared/ton/proofs/make/shard-links.js";
import { readAccount } from "../../../shared/ton/proofs/read/account.js";
import { shownState } from "../../../shared/ton/proofs/read/proofs.js";
import type { Block } from "../../../shared/ton/tlb/block.js";
import { type BlockIdExt, formatBlockId, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import type { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { registeredShards } from "../../../shared/ton/tlb/shard-hashes.js";
import type { Address } from "../../../shared/values/address.js";
import { deleteOldest, itemAt } from "../../../shared/values/lookups.js";
import { settled } from "../../../shared/values/promises.js";
import { TimeSlice } from "../../chain/time-slice.js";
import { type FinalAccountState, snapshotEnd } from "../decode/account.js";
import { type BlockContext, type DecodedBlock, decodeBlock, openBlock } from "../decode/decode-block.js";

/** The data indexed with one masterchain block. */
export type MasterchainUnit = {
  seqno: number;
  id: BlockIdExt;
  /** Root hash of the previous masterchain block. */
  previousRootHash: Uint8Array;
  genUtime: number;
  /** The masterchain block, then the shard blocks it was the first to register. */
  blocks: DecodedBlock[];
  /** The newest block of every shard as of the masterchain block, itself included. */
  heads: BlockIdExt[];
  /** Final states of the accounts changed in it. */
  accounts: FinalAccountState[];
  /** The configuration in a key block. */
  config?: ConfigDictionary | undefined;
};

export type UnitSource = { lite: LiteApi; edited?: ((mcSeqno: number) => Promise<AccountId[]>) | undefined };

type Opened = { id: BlockIdExt; block: Block };
type OpenedMasterchain = Opened & { shards: BlockIdExt[] };

/** Limit on the new shard blocks of a masterchain block; a longer walk is an error. */
const maxShardBlocks = 4096;
/** Longest work without yielding, since the same thread may serve calls. */
const sliceMs = 1;
/** Cached masterchain blocks: each unit needs the previous block's shards. */
const remembered = 64;

/** Reads masterchain blocks with their shard blocks and accounts. Concurrent reads are allowed. */
export class ChainUnits {
  /** Shared by all work on the units, so that the slice limits their total. */
  readonly timeSlice = new TimeSlice(sliceMs);
  readonly #lite: LiteApi;
  readonly #edited: NonNullable<UnitSource["edited"]>;
  readonly #masterchain = new Map<number, Promise<OpenedMasterchain>>();
  /** Global version by the seqno of the key block that set it. */
  readonly #versions = new Map<number, Promise<number>>();
  #decoding: Promise<unknown> = Promise.resolve();

  constructor({ lite, edited = async () => [] }: UnitSource) {
    this.#lite = lite;
    this.#edited = edited;
  }

  async read(seqno: number, call?: LiteCall): Promise<MasterchainUnit> {
    const [own, known, edited] = await Promise.all([
      this.#masterchainBlock(seqno, call),
      this.#shardsBefore(seqno, call),
      this.#edited(seqno),
    ]);
    const [shardBlocks, globalVersion] = await Promise.all([
      this.#newShardBlocks(own.shards, known, call),
      this.#globalVersion(own, call),
    ]);
    const info = own.block.info.value;
    const blocks = await this.#decode([own, ...shardBlocks], { mcSeqno: seqno, globalVersion });
    const unread = [...blocks.flatMap(({ accounts }) => accounts.unread), ...edited.map(addressOfId)];
    return {
      seqno,
      id: own.id,
      previousRootHash: itemAt(info.prevRef.value, 0).rootHash,
      genUtime: info.genUtime,
      blocks,
      heads: [own.id, ...own.shards],
      // Edits come after the transactions of their block.
      accounts: [
        ...blocks.flatMap(({ accounts }) => accounts.read),
        ...(await Promise.all(unread.map((address) => this.account(own.id, address, call)))),
      ],
      config: ownConfig(own.block),
    };
  }

  /** Decodes units one at a time, so that the first is complete before work on later ones begins. */
  #decode(
    opened: readonly Opened[],
    context: Omit<BlockContext, "id" | "timeSlice">,
  ): Promise<DecodedBlock[]> {
    const decoded = this.#decoding.then(async () => {
      const blocks: DecodedBlock[] = [];
      for (const { id, block } of opened)
        blocks.push(await decodeBlock(block, { id, timeSlice: this.timeSlice, ...context }));
      return blocks;
    });
    this.#decoding = settled(decoded);
    return decoded;
  }

  /** The masterchain block before a unit's; the unit must not be the first one. */
  async blockBefore(seqno: number): Promise<BlockIdExt> {
    return (await this.#masterchainBlock(seqno - 1)).id;
  }

  /** An account as of a masterchain block. */
  async account(block: BlockIdExt, address: Address, call?: LiteCall): Promise<FinalAccountState> {
    return snapshotEnd(await readAccount(this.#lite, block, address, call));
  }

  /** These parameters of the configuration after a masterchain block. */
  async config(id: BlockIdExt, paramList: number[], call?: LiteCall): Promise<ConfigDictionary> {
    const { configProof } = await this.#lite.getConfigParams({ id, paramList }, call);
    return shownState(configProof).custom!.value.config.config.value;
  }

  async #shardsBefore(seqno: number, call?: LiteCall): Promise<BlockIdExt[]> {
    return seqno === 1 ? [] : (await this.#masterchainBlock(seqno - 1, call)).shards;
  }

  #masterchainBlock(seqno: number, call?: LiteCall): Promise<OpenedMasterchain> {
    return remember(this.#masterchain, seqno, async () => {
      const { id } = await this.#lite.lookupBlock(
        { id: { workchain: masterchain, shard: wholeShard, seqno }, bySeqno: true },
        call,
      );
      const opened = await this.#open(id, call);
      return { ...opened, shards: shardsOf(opened.block) };
    });
  }

  async #open(id: BlockIdExt, call?: LiteCall): Promise<Opened> {
    const { data } = await this.#lite.getBlock({ id }, call);
    return { id, block: openBlock(data) };
  }

  /** Walks back from the newest shard blocks to known ones. */
  async #newShardBlocks(
    heads: readonly BlockIdExt[],
    known: readonly BlockIdExt[],
    call?: LiteCall,
  ): Promise<Opened[]> {
    const seen = new Set(known.map(formatBlockId));
    const found: Opened[] = [];
    let wanted = [...heads];
    while (wanted.length > 0) {
      const next = wanted.filter((id) => id.seqno > 0 && !seen.has(formatBlockId(id)));
      for (const id of next) seen.add(formatBlockId(id));
      const opened = await Promise.all(
        [...new Map(next.map((id) => [formatBlockId(id), id])).values()].map((id) => this.#open(id, call)),
      );
      found.push(...opened);
      if (found.length > maxShardBlocks)
        throw new Error(`a masterchain block cannot bring ${found.length} shard blocks`);
      wanted = opened.flatMap(({ id, block }) => previousBlockIds(id, block.info.value));
    }
    return found.sort(byPlace);
  }

  /** The global version in force after the masterchain block. */
  #globalVersion({ id, block }: OpenedMasterchain, call?: LiteCall): Promise<number> {
    const own = ownConfig(block);
    if (own) return remember(this.#versions, id.seqno, async () => versionOf(own));
    const { prevKeyBlockSeqno } = block.info.value;
    return remember(this.#versions, prevKeyBlockSeqno, async () =>
      versionOf(await this.config(id, [8], call)),
    );
  }
}

function ownConfig({ info, extra }: Block): ConfigDictionary | undefined {
  return info.value.keyBlock ? extra.value.custom?.value.config?.config.value : undefined;
}

function versionOf(config: ConfigDictionary): number {
  return configParam(config, 8)?.version ?? 0;
}

function shardsOf(block: Block): BlockIdExt[] {
  const { custom } = block.extra.value;
  if (!custom) throw new TypeError("a masterchain block has no masterchain part");
  return [...registeredShards(custom.value.shardHashes)].map(({ workchain, shard, descr }) => {
    const { seqno, rootHash, fileHash } = descr;
    return { workchain, shard, seqno, rootHash, fileHash };
  });
}

function byPlace({ id: a }: Opened, { id: b }: Opened): number {
  return a.workchain - b.workchain || (a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : a.seqno - b.seqno);
}

/** Caches the last few results; failures are not cached. */
function remember<T>(memory: Map<number, Promise<T>>, key: number, read: () => Promise<T>): Promise<T> {
  const known = memory.get(key);
  if (known) return known;
  const reading = read();
  memory.set(key, reading);
  reading.catch(() => memory.get(key) === reading && memory.delete(key));
  if (memory.size > remembered) deleteOldest(memory);
  return reading;
}
