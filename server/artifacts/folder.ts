import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileState } from "../os/file-state.js";
import type { Artifact } from "./artifact.js";
import { filesIn } from "./folder-files.js";
import { readArtifactText } from "./formats.js";

const pollMs = 500;
/** Bounds of a folder: build folders of projects have some hundred files. */
const limits = { files: 2000, depth: 5, fileBytes: 4 << 20 } as const;
const endings = /\.(json|abi|pkg|tlb)$/;

/** Receives what a folder has. */
interface ArtifactListener {
  read(artifacts: readonly Artifact[]): void;
  /** A file is not as its format demands, or the folder cannot be read: the rest is used. */
  failed(reason: string): void;
}

type KnownFile = { readonly state: string; readonly artifact: Artifact | undefined };

/** The artifacts in the files of a folder and its sub-folders, which are read again when they change. */
export class ArtifactFolder {
  readonly #path: string;
  readonly #listener: ArtifactListener;
  #files = new Map<string, KnownFile>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** The last failure to list the folder, which is reported once. */
  #failure: string | undefined;

  constructor(path: string, listener: ArtifactListener) {
    this.#path = path;
    this.#listener = listener;
  }

  /** Reads all files, then watches them. */
  async start(): Promise<void> {
    await this.read();
    this.#poll();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Reads the files that have changed. */
  async read(): Promise<void> {
    const paths = await this.#list();
    if (!paths) return;
    const files = new Map<string, KnownFile>();
    let hasChanged = false;
    for (const path of paths) {
      const state = fileState(join(this.#path, path));
      if (state === undefined) continue;
      const known = this.#files.get(path);
      if (known?.state === state) files.set(path, known);
      else {
        files.set(path, { state, artifact: await this.#open(path) });
        hasChanged = true;
      }
    }
    hasChanged ||= files.size !== this.#files.size;
    this.#files = files;
    if (hasChanged && !this.#isClosed)
      this.#listener.read([...files.values()].flatMap(({ artifact }) => artifact ?? []));
  }

  #poll(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      void this.read().finally(() => this.#poll());
    }, pollMs).unref();
  }

  /** Files that may be artifacts, in the order of their names; links are not followed. */
  async #list(): Promise<string[] | undefined> {
    try {
      const found = await filesIn(this.#path, { isWanted: (name) => endings.test(name), ...limits });
      this.#failure = undefined;
      return found;
    } catch (error) {
      const reason = `the artifacts in ${this.#path} cannot be read: ${(error as Error).message}`;
      if (reason !== this.#failure) this.#listener.failed(reason);
      this.#failure = reason;
      return undefined;
    }
  }

  async #open(path: string): Promise<Artifact | undefined> {
    try {
      return readArtifactText(path, await readArtifactFile(join(this.#path, path)));
    } catch (error) {
      this.#listener.failed(`${path} is not used: ${(error as Error).message}`);
      return undefined;
    }
  }
}

/** The text of a file. Throws an error if it is too large for an artifact. */
export async function readArtifactFile(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > limits.fileBytes) throw new Error("more than 4 MiB");
  return readFile(path, "utf8");
}
