import { AbiError } from "../../shared/ton/abi/abi-error.js";
import type { AbiCoder } from "../../shared/ton/abi/coder.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import type { Artifact, CatalogueEntry, Trust } from "./artifact.js";
import { stemOf } from "./formats.js";

/** An ABI for a contract, and why it was chosen. */
export type ChosenAbi = {
  readonly coder: AbiCoder;
  readonly contract: string;
  readonly trust: Trust;
  /** By an opcode alone it is a guess. */
  readonly by: "code" | "address" | "opcode";
  /** The file that it is from. */
  readonly artifact: Artifact;
};

/** A contract, by what is known of it. Its code hash is in base64, its address raw in upper case. */
type AskedContract = { readonly codeHash?: string | undefined; readonly account?: string | undefined };

/** Ways to choose an ABI for an opcode: a body that none of them fits belongs to another contract. */
const maxGuesses = 8;

/** All artifacts that the service knows: those of its operator first, then the catalogue's. */
export class ArtifactStore {
  #own: readonly Artifact[] = [];
  #catalogue: readonly Artifact[] = [];
  #catalogueRevision: string | undefined;
  #byCode = new Map<string, Artifact[]>();
  /** By the hash of the library cell that refers to their code. */
  #byLibrary = new Map<string, Artifact[]>();
  #byAddress = new Map<string, Artifact[]>();
  #byOpcode = new Map<number, Artifact[]>();

  /** Replaces the operator's artifacts. */
  setOwn(artifacts: readonly Artifact[]): void {
    this.#own = joined(artifacts);
    this.#index();
  }

  setCatalogue(artifacts: readonly Artifact[], revision: string): void {
    this.#catalogue = artifacts;
    this.#catalogueRevision = revision;
    this.#index();
  }

  get isEmpty(): boolean {
    return this.#own.length === 0 && this.#catalogue.length === 0;
  }

  list(): readonly Artifact[] {
    return [...this.#own, ...this.#catalogue];
  }

  /** Names the content of the catalogue; absent without one. */
  get catalogueRevision(): string | undefined {
    return this.#catalogueRevision;
  }

  /** Contracts of a code, best first: those of its own hash, then those that the library cell refers to. */
  artifactsOf(codeHash: string): readonly Artifact[] {
    return [this.#byCode, this.#byLibrary].flatMap((known) => known.get(codeHash) ?? []);
  }

  /** ABIs of a contract, best first; no guesses. Each is read when its turn comes. */
  *abisOf({ codeHash, account }: AskedContract): Generator<ChosenAbi> {
    if (codeHash !== undefined) yield* chosen(this.artifactsOf(codeHash), "code");
    if (account !== undefined) yield* chosen(this.#byAddress.get(account) ?? [], "address");
  }

  /** ABIs with a message of this opcode. */
  guesses(opcode: number): Generator<ChosenAbi> {
    return chosen((this.#byOpcode.get(opcode >>> 0) ?? []).slice(0, maxGuesses), "opcode");
  }

  #index(): void {
    this.#byCode = new Map();
    this.#byLibrary = new Map();
    this.#byAddress = new Map();
    this.#byOpcode = new Map();
    for (const artifact of this.list()) {
      if (!artifact.coder) continue;
      for (const hash of artifact.codeHashes) {
        addTo(this.#byCode, hash, artifact);
        addTo(this.#byLibrary, libraryHash(hash), artifact);
      }
      for (const address of artifact.addresses) addTo(this.#byAddress, address, artifact);
      for (const opcode of artifact.opcodes) addTo(this.#byOpcode, opcode, artifact);
    }
    for (const known of [this.#byCode, this.#byLibrary])
      for (const equals of known.values()) equals.sort(byRank);
  }
}

function addTo<K>(map: Map<K, Artifact[]>, key: K, artifact: Artifact): void {
  const known = map.get(key);
  if (known) known.push(artifact);
  else map.set(key, [artifact]);
}

/** Hash of the library cell that refers to a code; both in base64. */
function libraryHash(codeHash: string): string {
  const cell = beginCell().storeUint(2, 8).storeBytes(base64ToBytes(codeHash)!).endExotic();
  return bytesToBase64(cell.hash());
}

/** The operator's before the catalogue's, newer compilers before older ones, and entries that tell more before others. */
function byRank(a: Artifact, b: Artifact): number {
  if (a.trust !== b.trust) return a.trust === "own" ? -1 : 1;
  return b.compiler.localeCompare(a.compiler, "en", { numeric: true }) || bySize(a.entry, b.entry);
}

function bySize(a: CatalogueEntry | undefined, b: CatalogueEntry | undefined): number {
  if (!a || !b) return 0;
  return b.size[0] - a.size[0] || b.size[1] - a.size[1] || (a.id < b.id ? -1 : 1);
}

/** Malformed ABIs of a catalogue are found when they are used, and left out. */
function* chosen(artifacts: readonly Artifact[], by: ChosenAbi["by"]): Generator<ChosenAbi> {
  for (const artifact of artifacts) {
    const { coder, contract, trust } = artifact;
    const made = coder && ifReadable(coder);
    if (made) yield { coder: made, contract, trust, by, artifact };
  }
}

function ifReadable(coder: () => AbiCoder): AbiCoder | undefined {
  try {
    return coder();
  } catch (error) {
    if (error instanceof AbiError) return undefined;
    throw error;
  }
}

/** ABIs without code get the code hashes of compiled contracts of the same name. */
function joined(artifacts: readonly Artifact[]): Artifact[] {
  const hashes = new Map<string, Set<string>>();
  for (const { coder, codeHashes, contract, file } of artifacts)
    if (!coder)
      for (const name of [keyOf(contract), keyOf(stemOf(file))]) {
        const known = hashes.get(name) ?? new Set();
        for (const hash of codeHashes) known.add(hash);
        hashes.set(name, known);
      }
  return artifacts.map((artifact) => {
    const { coder, codeHashes, contract, file } = artifact;
    if (!coder || codeHashes.length > 0) return artifact;
    const found = hashes.get(keyOf(contract)) ?? hashes.get(keyOf(stemOf(file)));
    return found ? { ...artifact, codeHashes: [...found] } : artifact;
  });
}

/** Names of contracts and files, as projects vary them: `JettonMinter`, `jetton_minter`. */
function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
