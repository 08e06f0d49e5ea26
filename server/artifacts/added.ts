import { AbiError } from "../../shared/ton/abi/abi-error.js";
import type { Turns } from "../../shared/ton/run/debug-run.js";
import { ServiceError } from "../errors.js";
import type { Artifact } from "./artifact.js";
import { readArtifactText, readCoder } from "./formats.js";
import { PackedAbis, PackedJson } from "./packed.js";

/** A file as its caller sends it. */
export type GivenFile = { readonly file: string; readonly content: string };

/** Files of a key, and characters of a key and of all keys. */
const limits = { files: 256, characters: 8 << 20, allCharacters: 64 << 20 } as const;

/** A file that was read. */
type AddedFile = { readonly artifact: Artifact; readonly characters: number };

/** The artifacts that keys have added. They are in memory, so that a restart forgets them. */
export class AddedArtifacts {
  readonly #files = new Map<string, Map<string, AddedFile>>();
  readonly #abis = new PackedAbis();
  #characters = 0;

  /** Reads files for a key, each in a turn, if there is room for them. Throws a ServiceError. */
  async read(owner: string, given: readonly GivenFile[], turns: Turns): Promise<AddedFile[]> {
    this.#checkRoom(
      owner,
      given.map(({ file, content }) => [file, content.length]),
    );
    const read: AddedFile[] = [];
    for (const { file, content } of given)
      read.push({
        artifact: await turns(() => this.#read(file, content)),
        characters: content.length,
      });
    return read;
  }

  /** Adds files, which replace those of their names: all of them, or none. Throws a ServiceError. */
  add(owner: string, read: readonly AddedFile[]): Artifact[] {
    this.#checkRoom(
      owner,
      read.map(({ artifact, characters }) => [artifact.file, characters]),
    );
    const files = this.#files.get(owner) ?? new Map<string, AddedFile>();
    this.#files.set(owner, files);
    for (const each of read) {
      this.#characters += each.characters - (files.get(each.artifact.file)?.characters ?? 0);
      files.set(each.artifact.file, each);
    }
    return read.map(({ artifact }) => artifact);
  }

  /** The files of a key, in the order of their names. */
  of(owner: string): Artifact[] {
    const files = Array.from(this.#files.get(owner)?.values() ?? [], ({ artifact }) => artifact);
    return files.sort((a, b) => (a.file < b.file ? -1 : 1));
  }

  /** Whether there was such a file. */
  remove(owner: string, file: string): boolean {
    const files = this.#files.get(owner);
    const known = files?.get(file);
    if (!files || !known) return false;
    files.delete(file);
    this.#characters -= known.characters;
    if (files.size === 0) this.#files.delete(owner);
    return true;
  }

  /** Removes all files of a key. */
  forget(owner: string): void {
    for (const file of [...(this.#files.get(owner)?.keys() ?? [])]) this.remove(owner, file);
  }

  /** Before anything is read, which takes time, and again afterwards. */
  #checkRoom(owner: string, given: readonly (readonly [file: string, characters: number])[]): void {
    const files = this.#files.get(owner) ?? new Map<string, AddedFile>();
    const sizes = new Map(Array.from(files, ([file, { characters }]) => [file, characters]));
    const before = sumOf(sizes);
    for (const [file, characters] of given) sizes.set(file, characters);
    const after = sumOf(sizes);
    if (sizes.size > limits.files) throw tooMuch(`at most ${limits.files} files of a key are kept`);
    if (after > limits.characters)
      throw tooMuch(`at most ${limits.characters >> 20} MiB of a key's files are kept`);
    if (this.#characters + after - before > limits.allCharacters)
      throw tooMuch("the files of all keys take too much memory");
  }

  #read(file: string, content: string): Artifact {
    try {
      const artifact = readArtifactText(file, content);
      if (!artifact) throw new AbiError("its format is not known");
      const { abiJson, compiler } = artifact;
      if (!artifact.coder) return artifact;
      const { coder } = this.#abis.keep(abiJson ?? PackedJson.of(content), (json) =>
        readCoder(json, compiler),
      );
      return { ...artifact, coder };
    } catch (error) {
      if (!(error instanceof AbiError)) throw error;
      throw new ServiceError("invalid-params", `${file.slice(0, 200)} is not used: ${error.message}`, {
        data: { param: "files" },
      });
    }
  }
}

function sumOf(sizes: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const size of sizes.values()) sum += size;
  return sum;
}

function tooMuch(reason: string): ServiceError {
  return new ServiceError("conflict", `${reason}; remove some, or start the service with --artifacts`);
}
