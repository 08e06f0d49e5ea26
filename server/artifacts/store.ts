import { trusts } from "../../shared/schema/v3/abi.js";
import { AbiError } from "../../shared/ton/abi/abi-error.js";
import type { AbiCoder } from "../../shared/ton/abi/coder.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import { addToGroup } from "../../shared/values/groups.js";
import { AddedArtifacts, type GivenFile } from "./added.js";
import type { Artifact, CatalogueEntry, Trust } from "./artifact.js";
import { stemOf } from "./formats.js";

/** An ABI for a contract, and why it was chosen. */
export type ChosenAbi = {
  readonly coder: AbiCoder;
  readonly contract: string;
  readonly trust: Trust;
  /** By an opcode alone it is a guess. */
  readonly by: "call" | "code" | "address" | "opcode";
  /** The file that it is from. */
  readonly artifact: Artifact;
};

/** A contract, by what is known of it. Its code hash is in base64, its address raw in upper case. */
type AskedContract = { readonly codeHash?: string | undefined; readonly account?: string | undefined };

/** What is known of contracts. */
export interface Abis {
  readonly isEmpty: boolean;
  /** All artifacts that are seen. */
  list(): readonly Artifact[];
  /** ABIs of a contract, best first; no guesses. Each is read when its turn comes. */
  abisOf(asked: AskedContract): Iterable<ChosenAbi>;
  /** ABIs with a message of this opcode. */
  guesses(opcode: number): Iterable<ChosenAbi>;
  /** Artifacts of a code, best first: those of its own hash, then those of the code that the library cell refers to. */
  artifactsOf(codeHash: string): readonly Artifact[];
  /** Those of them that have sources, and what others claim. */
  sourcesOf(codeHash: string): readonly Artifact[];
}

/** A change of the files that callers have added. */
export type AddedChange = { readonly owner: string } & (
  | { readonly files: readonly GivenFile[] }
  | { readonly removed: string }
);

type StoreOptions = {
  /** Whether what a caller adds belongs to all callers, as on a devnet. Default: false. */
  isShared?: boolean;
  /** Artifacts of a code from verifiers. */
  claims?: { artifactsOf(codeHash: string): readonly Artifact[] } | undefined;
  /** Passes a change on to the other processes of the service. */
  share?: ((change: AddedChange) => Promise<void>) | undefined;
};

/** ABIs for one key: a body that none of them fits belongs to another contract. */
const maxChoices = 8;
/** Files that are added on a devnet belong to all callers. */
const everyone = "";

/** All artifacts that the service knows: those of its operator, of its keys, the catalogue's, and those that are built in. */
export class ArtifactStore implements Abis {
  readonly #isShared: boolean;
  readonly #share: (change: AddedChange) => Promise<void>;
  readonly #claims: StoreOptions["claims"];
  readonly #added = new AddedArtifacts();
  readonly #ofOwners = new Map<string, { readonly abis: Abis; readonly view: string }>();
  #folder: readonly Artifact[] = [];
  #catalogue: readonly Artifact[] = [];
  #catalogueRevision: string | undefined;
  #builtIn: readonly Artifact[] = [];
  #all = new ArtifactIndex([]);
  #edition = 0;

  constructor({ isShared = false, claims, share = async () => {} }: StoreOptions = {}) {
    this.#isShared = isShared;
    this.#claims = claims;
    this.#share = share;
  }

  /** Replaces the operator's artifacts. */
  setOwn(artifacts: readonly Artifact[]): void {
    this.#folder = artifacts;
    this.#index();
  }

  setCatalogue(artifacts: readonly Artifact[], revision: string): void {
    this.#catalogue = artifacts;
    this.#catalogueRevision = revision;
    this.#index();
  }

  setBuiltIn(artifacts: readonly Artifact[]): void {
    this.#builtIn = artifacts;
    this.#index();
  }

  /** Names the content of the catalogue; absent without one. */
  get catalogueRevision(): string | undefined {
    return this.#catalogueRevision;
  }

  /** Adds files for a key. Throws a ServiceError if one is not as its format demands, or there are too many. */
  async add(owner: string, files: readonly GivenFile[]): Promise<Artifact[]> {
    const added = this.#add(owner, files);
    await this.#share({ owner, files });
    return added;
  }

  /** Whether the key had added such a file. */
  async remove(owner: string, file: string): Promise<boolean> {
    const isRemoved = this.#remove(owner, file);
    if (isRemoved) await this.#share({ owner, removed: file });
    return isRemoved;
  }

  /** Makes a change that another process has made. */
  apply(change: AddedChange): void {
    if ("files" in change) this.#add(change.owner, change.files);
    else this.#remove(change.owner, change.removed);
  }

  /** The files that a key has added. */
  addedBy(owner: string): Artifact[] {
    return this.#added.of(this.#keeperOf(owner));
  }

  /** What a caller sees: files of other keys are left out. */
  seenBy(owner: string | undefined): Abis {
    return (owner === undefined ? undefined : this.#ofOwners.get(owner)?.abis) ?? this;
  }

  /** Names what a key sees beside all others, and changes with it: answers of one view are not those of another. */
  viewOf(owner: string): string | undefined {
    return this.#ofOwners.get(owner)?.view;
  }

  get isEmpty(): boolean {
    return this.#all.isEmpty && !this.#claims;
  }

  /** Without those that keys have added for themselves. */
  list(): readonly Artifact[] {
    return this.#all.list();
  }

  *abisOf({ codeHash, account }: AskedContract): Generator<ChosenAbi> {
    if (codeHash !== undefined) yield* chosen(this.#ofCode(codeHash), "code");
    yield* this.#all.abisOf({ account });
  }

  guesses(opcode: number): Iterable<ChosenAbi> {
    return this.#all.guesses(opcode);
  }

  artifactsOf(codeHash: string): readonly Artifact[] {
    return this.#all.artifactsOf(codeHash);
  }

  sourcesOf(codeHash: string): readonly Artifact[] {
    return this.#ofCode(codeHash).filter(hasSources);
  }

  /** Claims come after the operator's artifacts, and before the catalogue's. */
  #ofCode(codeHash: string): readonly Artifact[] {
    const known = this.#all.artifactsOf(codeHash);
    const claimed = this.#claims?.artifactsOf(codeHash) ?? [];
    if (claimed.length === 0) return known;
    const isOwn = ({ trust }: Artifact) => trust === "own";
    return [...known.filter(isOwn), ...claimed, ...known.filter((each) => !isOwn(each))];
  }

  #add(owner: string, files: readonly GivenFile[]): Artifact[] {
    const added = this.#added.add(this.#keeperOf(owner), files);
    this.#reindex(owner);
    return added;
  }

  #remove(owner: string, file: string): boolean {
    const isRemoved = this.#added.remove(this.#keeperOf(owner), file);
    if (isRemoved) this.#reindex(owner);
    return isRemoved;
  }

  #keeperOf(owner: string): string {
    return this.#isShared ? everyone : owner;
  }

  #reindex(owner: string): void {
    const added = this.addedBy(owner);
    if (this.#isShared) this.#index();
    else if (added.length === 0) this.#ofOwners.delete(owner);
    else {
      const abis = both(new ArtifactIndex(joined(added)), this);
      this.#ofOwners.set(owner, { abis, view: `${owner} ${++this.#edition}` });
    }
  }

  #index(): void {
    const own = joined([...this.#folder, ...this.#added.of(everyone)]);
    this.#all = new ArtifactIndex([...own, ...this.#catalogue, ...this.#builtIn]);
  }
}

/** Artifacts by all that they are found by. */
class ArtifactIndex implements Abis {
  readonly #artifacts: readonly Artifact[];
  readonly #byCode = new Map<string, Artifact[]>();
  /** By the hash of the library cell that refers to their code. */
  readonly #byLibrary = new Map<string, Artifact[]>();
  readonly #byAddress = new Map<string, Artifact[]>();
  readonly #byOpcode = new Map<number, Artifact[]>();

  constructor(artifacts: readonly Artifact[]) {
    this.#artifacts = artifacts;
    for (const artifact of artifacts) {
      for (const hash of artifact.codeHashes) {
        addToGroup(this.#byCode, hash, artifact);
        addToGroup(this.#byLibrary, libraryCellHash(hash), artifact);
      }
      for (const address of artifact.addresses) addToGroup(this.#byAddress, address, artifact);
      for (const opcode of artifact.opcodes) addToGroup(this.#byOpcode, opcode, artifact);
    }
    for (const known of [this.#byCode, this.#byLibrary])
      for (const equals of known.values()) equals.sort(byRank);
  }

  get isEmpty(): boolean {
    return this.#artifacts.length === 0;
  }

  list(): readonly Artifact[] {
    return this.#artifacts;
  }

  *abisOf({ codeHash, account }: AskedContract): Generator<ChosenAbi> {
    if (codeHash !== undefined) yield* chosen(this.artifactsOf(codeHash), "code");
    if (account !== undefined) yield* chosen(this.#byAddress.get(account) ?? [], "address");
  }

  guesses(opcode: number): Generator<ChosenAbi> {
    return chosen(this.#byOpcode.get(opcode >>> 0) ?? [], "opcode");
  }

  sourcesOf(codeHash: string): readonly Artifact[] {
    return this.artifactsOf(codeHash).filter(hasSources);
  }

  artifactsOf(codeHash: string): readonly Artifact[] {
    return [this.#byCode, this.#byLibrary].flatMap((known) => known.get(codeHash) ?? []);
  }
}

/** A key's own first, then those that all callers see. */
function both(own: Abis, all: Abis): Abis {
  return {
    get isEmpty() {
      return own.isEmpty && all.isEmpty;
    },
    list: () => [...own.list(), ...all.list()],
    *abisOf(asked) {
      yield* own.abisOf(asked);
      yield* all.abisOf(asked);
    },
    *guesses(opcode) {
      yield* own.guesses(opcode);
      yield* all.guesses(opcode);
    },
    sourcesOf: (codeHash) => [...own.sourcesOf(codeHash), ...all.sourcesOf(codeHash)],
    artifactsOf: (codeHash) => [...own.artifactsOf(codeHash), ...all.artifactsOf(codeHash)],
  };
}

function hasSources({ sources }: Artifact): boolean {
  return sources.length > 0;
}

/** Hash of the library cell that refers to a code; both in base64. */
function libraryCellHash(codeHash: string): string {
  const cell = beginCell().storeUint(2, 8).storeBytes(base64ToBytes(codeHash)!).endExotic();
  return bytesToBase64(cell.hash());
}

/** Those of better trust first, newer compilers before older ones, and entries that tell more before others. */
function byRank(a: Artifact, b: Artifact): number {
  return (
    trusts.indexOf(a.trust) - trusts.indexOf(b.trust) ||
    b.compiler.localeCompare(a.compiler, "en", { numeric: true }) ||
    bySize(a.entry, b.entry)
  );
}

function bySize(a: CatalogueEntry | undefined, b: CatalogueEntry | undefined): number {
  if (!a || !b) return 0;
  return b.size[0] - a.size[0] || b.size[1] - a.size[1] || (a.id < b.id ? -1 : 1);
}

function* chosen(artifacts: readonly Artifact[], by: ChosenAbi["by"]): Generator<ChosenAbi> {
  for (const artifact of artifacts.slice(0, maxChoices)) {
    const coder = coderOf(artifact);
    if (coder) yield { coder, contract: artifact.contract, trust: artifact.trust, by, artifact };
  }
}

/** The ABI of a contract. Malformed ones of a catalogue are found when they are used, and count as none. */
export function coderOf({ coder }: Artifact): AbiCoder | undefined {
  try {
    return coder?.();
  } catch (error) {
    if (error instanceof AbiError) return undefined;
    throw error;
  }
}

/** Files without code, such as ABIs, get the code hashes of compiled contracts of the same name. */
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
    const { codeHashes, contract, file } = artifact;
    if (codeHashes.length > 0) return artifact;
    const found = hashes.get(keyOf(contract)) ?? hashes.get(keyOf(stemOf(file)));
    return found ? { ...artifact, codeHashes: [...found] } : artifact;
  });
}

/** Names of contracts and files, as projects vary them: `JettonMinter`, `jetton_minter`. */
function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
