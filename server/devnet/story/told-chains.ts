import { createHash } from "node:crypto";
import { parseBoc, serializeBoc } from "../../cells/boc.js";
import type { KeptFiles } from "../../os/kept-files.js";
import type { Genesis } from "../genesis/genesis.js";
import { FieldReader, FieldWriter } from "../storage/byte-fields.js";
import { decodeRecord } from "../storage/chain-records.js";
import { type KeptChain, recordsOf, writeStateFile } from "../storage/state-file.js";

/** Times in a story that is told anew end at the present. Those of a kept one are not much older. */
const maxAgeSec = 86_400;

/** The first blocks of earlier devnets: of those that have them, a new one need not make them. */
export class ToldChains {
  readonly #files: KeptFiles;
  readonly #edition: string;

  /** `edition` names the code that makes the blocks. */
  constructor(files: KeptFiles, edition: string) {
    this.#files = files;
    this.#edition = edition;
  }

  /** `settings`: all that the blocks depend on besides the zero states. `now`: unix time, if the clock shows it. */
  async find(genesis: Genesis, settings: object, now: number | undefined): Promise<KeptChain | undefined> {
    const file = await this.#files.read(this.#nameOf(genesis, settings));
    const found = file && readChain(file, genesis);
    const age = found && now !== undefined ? now - found.endsAt : 0;
    return age >= 0 && age <= maxAgeSec ? found?.chain : undefined;
  }

  async keep(genesis: Genesis, settings: object, chain: KeptChain): Promise<void> {
    await this.#files.write(this.#nameOf(genesis, settings), [writeChain(chain, genesis)]);
  }

  #nameOf({ masterchain, basechain }: Genesis, settings: object): string {
    const digest = createHash("sha256").update(this.#edition).update(JSON.stringify(settings));
    for (const { id } of [masterchain, basechain]) digest.update(id.rootHash).update(id.fileHash);
    return `chain-${digest.digest("hex")}`;
  }
}

/** The states are there too, so that they need not be computed block by block. */
function writeChain({ records, states }: KeptChain, genesis: Genesis): Uint8Array {
  const boc = serializeBoc([states.masterchain, states.basechain]);
  return new FieldWriter().sizedBytes(boc).bytes(writeStateFile(genesis, records)).finish();
}

/** The file's digest vouches for its content, which the same code has written: blocks are not checked again. */
function readChain(file: Uint8Array, genesis: Genesis): { chain: KeptChain; endsAt: number } | undefined {
  try {
    const reader = new FieldReader(file);
    const [masterchain, basechain] = parseBoc(reader.sizedBytes(), { verify: "later" });
    const records = [...recordsOf(file.subarray(reader.offset), genesis)];
    const last = decodeRecord(records.at(-1)!);
    if (!masterchain || !basechain || last.type !== "pair") return undefined;
    return { chain: { records, states: { masterchain, basechain } }, endsAt: last.pair.masterchain.genUtime };
  } catch {
    return undefined;
  }
}
