import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { keptRead } from "../../../shared/values/shared-reads.js";
import type { Retrace } from "./retrace.js";

type Retraces = Pick<Retrace, "find" | "block">;

type ForkedParts = {
  own: Retraces;
  /** The liteservers of the network that the chain forks. */
  network: LiteApi;
  /** Logical time at which the fork begins. */
  startLt: () => bigint;
  retraceOn: (reader: ChainReader) => Retraces;
  now: () => number;
};

/** Runs transactions of a fork again; those from before it as its network does. */
export class ForkedRetrace implements Retraces {
  readonly #parts: ForkedParts;
  readonly #network = keptRead(() => this.#open());

  constructor(parts: ForkedParts) {
    this.#parts = parts;
  }

  find: Retraces["find"] = async (place, call) => (await this.#at(place.lt)).find(place, call);

  block: Retraces["block"] = async (place, options) => (await this.#at(place.lt)).block(place, options);

  async #at(lt: bigint | undefined): Promise<Retraces> {
    const { own, startLt } = this.#parts;
    if (lt === undefined || lt > startLt()) return own;
    return this.#network();
  }

  async #open(): Promise<Retraces> {
    const { network, retraceOn, now } = this.#parts;
    const head = new ChainHead(await network.getMasterchainInfo({}), now);
    return retraceOn(new ChainReader({ lite: network, head }));
  }
}
