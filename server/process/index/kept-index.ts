import { createHash } from "node:crypto";
import { join } from "node:path";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { Beginning, Devnet } from "../../devnet/devnet.js";
import type { Fallback } from "../../observe/fallback.js";
import { builtFiles, KeptFiles } from "../../os/kept-files.js";
import type { Database } from "../../store/database.js";
import type { Context } from "../context/context.js";
import type { ChainSource } from "../network/chain-source.js";

/** They take megabytes each. */
const maxImages = 3;

/** The index of a devnet's first blocks, with which the index of a later devnet with the same blocks begins. */
export class KeptIndex {
  readonly #beginning: Beginning;
  readonly #folder: string;
  /** Everything except the blocks that the content of the index depends on. */
  readonly #origin: string;
  readonly #fallback: Fallback;
  #last: BlockIdExt | undefined;
  #stored = 0;
  /** The database whose image will be stored. */
  #database: Database | undefined;

  private constructor({ beginning, events }: Devnet, folder: string, origin: string, fallback: Fallback) {
    this.#fallback = fallback;
    this.#beginning = beginning;
    this.#folder = folder;
    this.#origin = origin;
    // Other blocks may take the place of the first ones.
    events.onReverted(() => {
      this.#database = undefined;
    });
  }

  /** Only an index in memory is kept. */
  static of({ config, startCache, fallback }: Context, { devnet }: ChainSource): KeptIndex | undefined {
    const { data, databaseUrl } = config;
    if (data !== undefined || databaseUrl !== undefined) return undefined;
    if (!devnet || !startCache) return undefined;
    const { from, dnsRoots, metadataFetch, poolCodeHashes, tvmWasm } = config;
    const settings = [from, dnsRoots, metadataFetch, poolCodeHashes, tvmWasm];
    const origin = `${startCache.edition} ${JSON.stringify(settings)}`;
    return new KeptIndex(devnet, join(startCache.folder, "index"), origin, fallback);
  }

  /** Path of the image to begin with. */
  async find(): Promise<string | undefined> {
    this.#last = await this.#beginning.kept();
    const onFailure = (error: unknown) => this.#fallback("kept-file", error);
    const files = new KeptFiles(this.#folder, maxImages, onFailure, builtFiles(onFailure));
    return this.#last && files.find(this.#nameOf(this.#last));
  }

  /** Keeps an image of the database once the first blocks are stored in it. */
  keepFrom(database: Database): void {
    this.#database = database;
    this.#beginning.cached().then(
      (last) => {
        this.#last = last;
        this.#keep();
      },
      // The devnet has ended, which it reports itself.
      () => {},
    );
  }

  /** The newest of the first blocks known so far: do not store later blocks together with it. */
  get milestone(): number | undefined {
    return this.#database && this.#last?.seqno;
  }

  /** Call when the blocks up to this one are stored. */
  stored(seqno: number): void {
    this.#stored = seqno;
    this.#keep();
  }

  #keep(): void {
    if (!this.#last || this.#stored !== this.#last.seqno) return;
    this.#database?.keep?.({ folder: this.#folder, name: this.#nameOf(this.#last), maxImages });
    this.#database = undefined;
  }

  #nameOf({ rootHash, fileHash }: BlockIdExt): string {
    const digest = createHash("sha256").update(this.#origin).update(rootHash).update(fileHash);
    return `index-${digest.digest("hex")}`;
  }
}
