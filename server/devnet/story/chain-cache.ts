import { createHash } from "node:crypto";
import { parseBoc, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { KeptFiles } from "../../os/kept-files.js";
import type { Genesis } from "../genesis/genesis.js";
import { FieldReader, FieldWriter } from "../storage/byte-fields.js";
import { decodeRecord } from "../storage/chain-records.js";
import { type KeptChain, recordsOf, writeStateFile } from "../storage/state-file.js";

/** Cache of the first blocks of devnets, so that an equal new one need not make them. */
export class ChainCache {
  readonly #files: KeptFiles;
  readonly #edition: string;

  /** `edition` identifies the code that makes the blocks. */
  constructor(files: KeptFiles, edition: string) {
    this.#files = files;
    this.#edition = edition;
  }

  /** `settings`: everything the blocks depend on besides the zero states. `now`: unix time, if the clock shows it. */
  async find(genesis: Genesis, settings: object, now: number | undefined): Promise<KeptChain | undefined> {
    const file = await this.#files.read(this.#nameOf(genesis, settings));
    const found = file && readChain(file, genesis);
    return found && now !== undefined && now < found.endsAt ? undefined : found?.chain;
  }

  async keep(genesis: Genesis, settings: object, chain: KeptChain): Promise<void> {
    await this.#files.write(this.#nameOf(genesis, settings), [await writeChain(chain, genesis)]);
  }

  #nameOf({ masterchain, basechain }: Genesis, settings: object): string {
    const digest = createHash("sha256").update(this.#edition).update(JSON.stringify(settings));
    for (const { id } of [masterchain, basechain]) digest.update(id.rootHash).update(id.fileHash);
    return `chain-${digest.digest("hex")}`;
  }
}

/** Includes the states, so that they need not be recomputed block by block. */
async function writeChain({ records, states }: KeptChain, genesis: Genesis): Promise<Uint8Array> {
  const boc = serializeBoc([states.masterchain, states.basechain]);
  return new FieldWriter()
    .sizedBytes(boc)
    .bytes(await writeStateFile(genesis, records))
    .finish();
}

/** The file was written by the same code and its digest was checked, so blocks are not validated again. */
function readChain(file: Uint8Array, genesis: Genesis): { chain: KeptChain; endsAt: number } | undefined {
  try {
    const reader = new FieldReader(file);
    const [masterchain, basechain] = parseBoc(reader.sizedBytes(), { verify: "later" });
    const records = [...recordsOf(file.subarray(reader.offset), genesis)];
    const last = decodeRecord(itemAt(records, -1));
    if (!masterchain || !basechain || last.type !== "pair") return undefined;
    return { chain: { records, states: { masterchain, basechain } }, endsAt: last.pair.masterchain.genUtime };
  } catch {
    // The chain is made anew.
    return undefined;
  }
}
