import { createHash } from "node:crypto";
import type { KeptFiles } from "../../os/kept-files.js";
import type { Genesis } from "../genesis/genesis.js";
import { type ImportedChain, readStateFile, writeStateFile } from "../storage/state-file.js";

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
  async find(
    genesis: Genesis,
    settings: object,
    now: number | undefined,
  ): Promise<ImportedChain | undefined> {
    const file = await this.#files.read(this.#nameOf(genesis, settings));
    const chain = file && (await readStateFile(file, genesis).catch(() => undefined));
    if (!chain || now === undefined) return chain;
    const age = now - chain.pairs.at(-1)!.masterchain.genUtime;
    return age >= 0 && age <= maxAgeSec ? chain : undefined;
  }

  async keep(
    genesis: Genesis,
    settings: object,
    records: Parameters<typeof writeStateFile>[1],
  ): Promise<void> {
    await this.#files.write(this.#nameOf(genesis, settings), writeStateFile(genesis, records));
  }

  #nameOf({ masterchain, basechain }: Genesis, settings: object): string {
    const digest = createHash("sha256").update(this.#edition).update(JSON.stringify(settings));
    for (const { id } of [masterchain, basechain]) digest.update(id.rootHash).update(id.fileHash);
    return `chain-${digest.digest("hex")}`;
  }
}
