import { AbiError } from "../../shared/ton/abi/abi-error.js";
import type { AbiCoder } from "../../shared/ton/abi/coder.js";
import type { Turns } from "../../shared/ton/run/debug-run.js";
import { settled } from "../../shared/values/promises.js";
import { AddedArtifacts, type GivenFile } from "./added.js";
import type { Artifact, Trust } from "./artifact.js";
import { ArtifactIndex, claimedOfCodes, type FoundArtifacts, someOf } from "./artifact-index.js";
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
  /**
   * Artifacts of a code, best first: those of its own hash, then those of the code that the library cell refers to. Verifiers
   * are not asked.
   */
  artifactsOf(codeHash: string): readonly Artifact[];
  /** Those of them that have sources, and what verifiers claim. */
  sourcesOf(codeHash: string): readonly Artifact[];
}

/** A change of the files that callers have added. */
export type AddedChange = { readonly owner: string } & (
  | { readonly files: readonly GivenFile[] }
  | { readonly removed: string }
);

type StoreOptions = {
  /** Whether all callers see what one of them adds, as a claim of others, as on a devnet. Default: false. */
  isShared?: boolean;
  /** Artifacts of a code from verifiers. */
  claims?: { artifactsOf(codeHash: string): readonly Artifact[] } | undefined;
  /** Passes a change on to the other processes of the service. */
  share?: ((change: AddedChange) => Promise<void>) | undefined;
};

/** ABIs of one source for one key: a body that none of them fits belongs to another contract. */
const maxChoices = 8;

/** The ABIs that an owner sees, and its files as the others see them. */
type Owner = {
  readonly seen: Abis;
  readonly vouched: Abis;
  readonly view: string;
  readonly claimed: ReadonlySet<Artifact>;
};

/**
 * All artifacts that the service knows, in the order in which they are chosen: those of its operator, the caller's own, claims
 * of verifiers and of other callers, the catalogue's, and those that are built in. The store itself is the view
 * of callers who have added nothing.
 */
export class ArtifactStore implements Abis {
  readonly #isShared: boolean;
  readonly #share: (change: AddedChange) => Promise<void>;
  readonly #verified: readonly FoundArtifacts[];
  readonly #added = new AddedArtifacts();
  readonly #owners = new Map<string, Owner>();
  /** The files of all owners, as all others see them. */
  readonly #claimed = new ArtifactIndex();
  #folder = new ArtifactIndex();
  #catalogue: readonly Artifact[] = [];
  #catalogueRevision: string | undefined;
  #builtIn: readonly Artifact[] = [];
  #known = new ArtifactIndex();
  #edition = 0;
  /** Changes of other processes are made one after another. */
  #applied: Promise<void> = Promise.resolve();
  readonly #seen = new LayeredAbis(() => this.#layers());
  readonly #vouched = new LayeredAbis(() => this.#layers({ others: [] }));

  constructor({ isShared = false, claims, share = async () => {} }: StoreOptions = {}) {
    this.#isShared = isShared;
    this.#verified = claims ? [claimedOfCodes(claims)] : [];
    this.#share = share;
  }

  /** Replaces the operator's artifacts. */
  setOwn(artifacts: readonly Artifact[]): void {
    this.#folder = new ArtifactIndex(joined(artifacts));
    for (const owner of [...this.#owners.keys()]) this.#reindex(owner);
  }

  setCatalogue(artifacts: readonly Artifact[], revision: string): void {
    this.#catalogue = artifacts;
    this.#catalogueRevision = revision;
    this.#known = new ArtifactIndex([...artifacts, ...this.#builtIn]);
  }

  setBuiltIn(artifacts: readonly Artifact[]): void {
    this.#builtIn = artifacts;
    this.#known = new ArtifactIndex([...this.#catalogue, ...artifacts]);
  }

  /** Names the content of the catalogue; absent without one. */
  get catalogueRevision(): string | undefined {
    return this.#catalogueRevision;
  }

  /** Adds files for a key. Throws a ServiceError if one is not as its format demands, or there are too many. */
  async add(owner: string, files: readonly GivenFile[], turns: Turns): Promise<Artifact[]> {
    const read = await this.#added.read(owner, files, turns);
    const added = this.#keep(owner, read);
    // At once, so that others get the changes in their order.
    await this.#share({ owner, files });
    return added;
  }

  /** Whether the key had added such a file. */
  async remove(owner: string, file: string): Promise<boolean> {
    const isRemoved = this.#remove(owner, file);
    if (isRemoved) await this.#share({ owner, removed: file });
    return isRemoved;
  }

  /** Makes a change that another process has made, after those before it. */
  apply(change: AddedChange, turns: Turns): Promise<void> {
    const applied = this.#applied.then(async () => {
      const { owner } = change;
      if ("files" in change) this.#keep(owner, await this.#added.read(owner, change.files, turns));
      else this.#remove(owner, change.removed);
    });
    this.#applied = settled(applied);
    return applied;
  }

  /** Forgets the files of keys that are not valid any more. */
  forgetOwners(isValid: (owner: string) => boolean): void {
    for (const owner of [...this.#owners.keys()]) {
      if (isValid(owner)) continue;
      this.#added.forget(owner);
      this.#reindex(owner);
    }
  }

  /** The files that a key has added. */
  addedBy(owner: string): Artifact[] {
    return this.#added.of(owner);
  }

  /** The ABIs for a caller: its own files, and those of others as claims or not at all. */
  seenBy(owner: string | undefined): Abis {
    return this.#ownerOf(owner)?.seen ?? this;
  }

  /** The same without the files of other callers, for answers that do not say whose an ABI is. */
  vouchedTo(owner: string | undefined): Abis {
    return this.#ownerOf(owner)?.vouched ?? this.#vouched;
  }

  /** Names an owner of files, and changes with them: answers of one view are not those of another. */
  viewOf(owner: string): string | undefined {
    return this.#owners.get(owner)?.view;
  }

  get isEmpty(): boolean {
    return this.#seen.isEmpty;
  }

  list(): readonly Artifact[] {
    return this.#seen.list();
  }

  abisOf(asked: AskedContract): Iterable<ChosenAbi> {
    return this.#seen.abisOf(asked);
  }

  guesses(opcode: number): Iterable<ChosenAbi> {
    return this.#seen.guesses(opcode);
  }

  artifactsOf(codeHash: string): readonly Artifact[] {
    return this.#seen.artifactsOf(codeHash);
  }

  sourcesOf(codeHash: string): readonly Artifact[] {
    return this.#seen.sourcesOf(codeHash);
  }

  #ownerOf(owner: string | undefined): Owner | undefined {
    return owner === undefined ? undefined : this.#owners.get(owner);
  }

  #layers({
    own = [],
    others = [someOf(this.#claimed, { isShown: () => true, max: maxChoices })],
  }: {
    own?: readonly FoundArtifacts[];
    others?: readonly FoundArtifacts[];
  } = {}): FoundArtifacts[] {
    return [this.#folder, ...own, ...this.#verified, ...others, this.#known];
  }

  #keep(owner: string, read: Parameters<AddedArtifacts["add"]>[1]): Artifact[] {
    const added = this.#added.add(owner, read);
    this.#reindex(owner);
    return added;
  }

  #remove(owner: string, file: string): boolean {
    const isRemoved = this.#added.remove(owner, file);
    if (isRemoved) this.#reindex(owner);
    return isRemoved;
  }

  #reindex(owner: string): void {
    this.#claimed.remove(this.#owners.get(owner)?.claimed ?? []);
    this.#owners.delete(owner);
    const added = joined(this.addedBy(owner), this.#folder.list());
    if (added.length === 0) return;
    const own = [new ArtifactIndex(added)];
    const claimed = new Set(
      this.#isShared ? added.map((artifact): Artifact => ({ ...artifact, trust: "claimed" })) : [],
    );
    this.#claimed.add(claimed);
    const others = [someOf(this.#claimed, { isShown: (each) => !claimed.has(each), max: maxChoices })];
    this.#owners.set(owner, {
      seen: new LayeredAbis(() => this.#layers({ own, others })),
      vouched: new LayeredAbis(() => this.#layers({ own, others: [] })),
      view: `${owner} ${++this.#edition}`,
      claimed,
    });
  }
}

/** Artifacts of several sources, those of the first ones before all others. */
class LayeredAbis implements Abis {
  readonly #layers: () => readonly FoundArtifacts[];

  constructor(layers: () => readonly FoundArtifacts[]) {
    this.#layers = layers;
  }

  get isEmpty(): boolean {
    return this.#layers().every(({ isEmpty }) => isEmpty);
  }

  list(): readonly Artifact[] {
    return this.#layers().flatMap((layer) => layer.list());
  }

  *abisOf({ codeHash, account }: AskedContract): Generator<ChosenAbi> {
    if (codeHash !== undefined) for (const found of this.#ofCode(codeHash)) yield* chosen(found, "code");
    if (account !== undefined)
      for (const layer of this.#layers()) yield* chosen(layer.ofAddress(account), "address");
  }

  *guesses(opcode: number): Generator<ChosenAbi> {
    for (const layer of this.#layers()) yield* chosen(layer.ofOpcode(opcode >>> 0), "opcode");
  }

  artifactsOf(codeHash: string): readonly Artifact[] {
    return this.#ofCode(
      codeHash,
      this.#layers().filter(({ isRemote }) => !isRemote),
    ).flat();
  }

  sourcesOf(codeHash: string): readonly Artifact[] {
    return this.#ofCode(codeHash).flat().filter(hasSources);
  }

  /** Those of the hash itself, then those of the code that a library cell refers to. */
  #ofCode(codeHash: string, layers = this.#layers()): (readonly Artifact[])[] {
    return [
      ...layers.map((layer) => layer.ofCode(codeHash)),
      ...layers.map((layer) => layer.ofLibrary(codeHash)),
    ];
  }
}

function hasSources({ sources }: Artifact): boolean {
  return sources.length > 0;
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

/** Files without code, such as ABIs, get the code hashes of compiled contracts of the same name, also of those in `beside`. */
function joined(artifacts: readonly Artifact[], beside: readonly Artifact[] = []): Artifact[] {
  const hashes = new Map<string, Set<string>>();
  for (const { coder, codeHashes, contract, file } of [...beside, ...artifacts])
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
