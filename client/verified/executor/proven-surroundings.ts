import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { previousBlocks } from "../../../shared/ton/proofs/make/previous-blocks.js";
import { type ConfigView, readConfig } from "../../../shared/ton/proofs/read/config.js";
import { type Library, readLibraries } from "../../../shared/ton/proofs/read/libraries.js";
import { readHistory } from "../../../shared/ton/proofs/read/previous-blocks.js";
import { getConfigAll } from "../../../shared/ton/proofs/verify/config.js";
import { getLibraries } from "../../../shared/ton/proofs/verify/libraries.js";
import { CodeLibraries } from "../../../shared/ton/run/code-libraries.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { McStateHistory } from "../../../shared/ton/tlb/mc-state-extra.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { handledLater } from "../../../shared/values/promises.js";
import { RecentMap } from "../../../shared/values/recent-map.js";
import { sharedRead } from "../../../shared/values/shared-reads.js";
import type { ProvenReads } from "../proven-reads.js";

/** Runs are at the newest block, so few entries are enough. */
const blocksKept = 2;
const configsKept = 2;

const runChecks = { getConfigAll, getLibraries };

type Surroundings = { config: ConfigView; previousBlocks: StackValue };

/** The proven surroundings of get-methods: configuration, earlier blocks and libraries. */
export class ProvenSurroundings {
  readonly libraries: CodeLibraries;
  readonly #reads: ProvenReads;
  /** By root hash of the block. */
  readonly #surroundings = new RecentMap<string, Promise<Surroundings>>(blocksKept);
  /** By root hash of the key block. */
  readonly #configs = new RecentMap<string, Promise<ConfigView>>(configsKept);
  #last: BlockIdExt | undefined;

  constructor(reads: ProvenReads) {
    this.#reads = reads;
    const last = () => this.#last as BlockIdExt;
    this.libraries = new CodeLibraries({
      get last() {
        return last();
      },
      libraries: (hashes, call = {}): Promise<Library[]> =>
        readLibraries(reads.liteOf(runChecks), hashes, call),
    });
  }

  /** The surroundings at the newest block. */
  async newest(call: LiteCall) {
    const { last } = (await this.#reads.head(call)).info;
    this.#last = last;
    const of = (block: BlockIdExt) => this.#at(block, call);
    // Requested beside the account. A run asks for it again, and gets the error.
    handledLater(of(last));
    return {
      last,
      config: async (block: BlockIdExt) => (await of(block)).config,
      previousBlocks: async (block: BlockIdExt) => (await of(block)).previousBlocks,
    };
  }

  #at(block: BlockIdExt, call: LiteCall): Promise<Surroundings> {
    return sharedRead(this.#surroundings, bytesToHex(block.rootHash), () => this.#read(block, heardBy(call)));
  }

  async #read(block: BlockIdExt, call: LiteCall): Promise<Surroundings> {
    const history = await readHistory(this.#reads.lite, block, call);
    const config = await sharedRead(this.#configs, keyBlockOf(block, history), () =>
      readConfig(this.#reads.liteOf(runChecks), block, call),
    );
    return { config, previousBlocks: previousBlocks(block, history) };
  }
}

/** Concurrent callers share a read, so no signal of one may abort it. */
function heardBy({ heard }: LiteCall): LiteCall {
  return { heard };
}

/** Root hash of the last key block up to a block; the zero state counts as one, and has no entry in itself. */
function keyBlockOf(block: BlockIdExt, { afterKeyBlock, lastKeyBlock }: McStateHistory): string {
  return bytesToHex((afterKeyBlock ? block : (lastKeyBlock ?? block)).rootHash);
}
