import { trusts } from "../../shared/schema/v3/abi.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import type { Artifact, CatalogueEntry } from "./artifact.js";

/** Artifacts by what they are found by, the best first. */
export interface FoundArtifacts {
  readonly isEmpty: boolean;
  /** Whether codes that are looked up are asked for elsewhere. */
  readonly isRemote?: boolean;
  list(): readonly Artifact[];
  /** By the hash of their code, in base64. */
  ofCode(codeHash: string): readonly Artifact[];
  /** By the hash of the library cell that refers to their code. */
  ofLibrary(cellHash: string): readonly Artifact[];
  /** By a raw address in upper case. */
  ofAddress(address: string): readonly Artifact[];
  ofOpcode(opcode: number): readonly Artifact[];
}

/** Those of one source. */
export class ArtifactIndex implements FoundArtifacts {
  readonly #artifacts = new Set<Artifact>();
  readonly #byCode = new Groups<string>(byRank);
  readonly #byLibrary = new Groups<string>(byRank);
  readonly #byAddress = new Groups<string>();
  readonly #byOpcode = new Groups<number>();

  constructor(artifacts: Iterable<Artifact> = []) {
    this.add(artifacts);
  }

  add(artifacts: Iterable<Artifact>): void {
    for (const artifact of artifacts) {
      this.#artifacts.add(artifact);
      this.#change(artifact, "add");
    }
  }

  remove(artifacts: Iterable<Artifact>): void {
    for (const artifact of artifacts) if (this.#artifacts.delete(artifact)) this.#change(artifact, "remove");
  }

  get isEmpty(): boolean {
    return this.#artifacts.size === 0;
  }

  list(): readonly Artifact[] {
    return [...this.#artifacts];
  }

  ofCode(codeHash: string): readonly Artifact[] {
    return this.#byCode.of(codeHash);
  }

  ofLibrary(cellHash: string): readonly Artifact[] {
    return this.#byLibrary.of(cellHash);
  }

  ofAddress(address: string): readonly Artifact[] {
    return this.#byAddress.of(address);
  }

  ofOpcode(opcode: number): readonly Artifact[] {
    return this.#byOpcode.of(opcode);
  }

  #change(artifact: Artifact, change: "add" | "remove"): void {
    for (const hash of artifact.codeHashes) {
      this.#byCode[change](hash, artifact);
      this.#byLibrary[change](libraryCellHash(hash), artifact);
    }
    for (const address of artifact.addresses) this.#byAddress[change](address, artifact);
    for (const opcode of artifact.opcodes) this.#byOpcode[change](opcode, artifact);
  }
}

const none: readonly Artifact[] = [];

/** Artifacts with the same key, by rank, or in the order in which they were added. */
class Groups<Key> {
  readonly #groups = new Map<Key, Artifact[]>();
  readonly #rank: (a: Artifact, b: Artifact) => number;

  constructor(rank: (a: Artifact, b: Artifact) => number = () => 0) {
    this.#rank = rank;
  }

  of(key: Key): readonly Artifact[] {
    return this.#groups.get(key) ?? none;
  }

  add(key: Key, artifact: Artifact): void {
    const group = this.#groups.get(key) ?? [];
    this.#groups.set(key, group);
    const before = group.findLastIndex((each) => this.#rank(each, artifact) <= 0);
    group.splice(before + 1, 0, artifact);
  }

  remove(key: Key, artifact: Artifact): void {
    const left = this.of(key).filter((each) => each !== artifact);
    if (left.length > 0) this.#groups.set(key, left);
    else this.#groups.delete(key);
  }
}

/** At most `max` of those that `isShown` is true of, for each key. */
export function someOf(
  all: FoundArtifacts,
  { isShown, max }: { isShown: (artifact: Artifact) => boolean; max: number },
): FoundArtifacts {
  const some = (found: readonly Artifact[]) => found.filter(isShown).slice(0, max);
  return {
    get isEmpty() {
      return all.isEmpty;
    },
    list: () => all.list().filter(isShown),
    ofCode: (codeHash) => some(all.ofCode(codeHash)),
    ofLibrary: (cellHash) => some(all.ofLibrary(cellHash)),
    ofAddress: (address) => some(all.ofAddress(address)),
    ofOpcode: (opcode) => some(all.ofOpcode(opcode)),
  };
}

/** Claims of verifiers, by code. */
export function claimedOfCodes(claims: {
  artifactsOf(codeHash: string): readonly Artifact[];
}): FoundArtifacts {
  const nothing = () => none;
  return {
    isEmpty: false,
    isRemote: true,
    list: nothing,
    ofCode: (codeHash) => claims.artifactsOf(codeHash),
    ofLibrary: nothing,
    ofAddress: nothing,
    ofOpcode: nothing,
  };
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
