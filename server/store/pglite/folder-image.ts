import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";

/** A file of an image: its path in the folder, and where the image has its content. */
export type ImageFile = { path: string; at: number; length: number };

type Contents = { folders: string[]; files: [path: string, length: number][] };

/** Bytes of the length that an image begins with. */
const lengthBytes = 4;

/** All files of a folder in one file, of which any part can be read. */
export class FolderImage {
  /** Each after the one that it is in. */
  readonly folders: readonly string[];
  readonly files: readonly ImageFile[];
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, "r");
    const length = this.#bytes(0, lengthBytes).readUInt32LE();
    const { folders, files } = JSON.parse(this.#bytes(lengthBytes, length).toString()) as Contents;
    let at = lengthBytes + length;
    this.folders = folders;
    this.files = files.map(([path, length]) => {
      const file = { path, at, length };
      at += length;
      return file;
    });
  }

  /** Reads into the buffer at `offset`. */
  read(buffer: Uint8Array | Int8Array, offset: number, length: number, at: number): void {
    if (readSync(this.#file, buffer, offset, length, at) !== length)
      throw new Error("an image ends too early");
  }

  /** Makes the files in a folder that exists. */
  copyTo(folder: string): void {
    for (const path of this.folders) mkdirSync(join(folder, path));
    for (const file of this.files) writeFileSync(join(folder, file.path), this.contentOf(file));
  }

  contentOf({ at, length }: ImageFile): Uint8Array {
    return this.#bytes(at, length);
  }

  close(): void {
    closeSync(this.#file);
  }

  #bytes(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    this.read(bytes, 0, length, at);
    return bytes;
  }
}

/** A file that an image is made of. */
export type FileContent = { path: string; length: number; read(): Uint8Array };

/** The parts of the image of these folders, each after the one that it is in, and files. */
export function* imageParts(
  folders: readonly string[],
  files: readonly FileContent[],
): Generator<Uint8Array> {
  const listed: Contents = { folders: [...folders], files: files.map(({ path, length }) => [path, length]) };
  const head = Buffer.from(JSON.stringify(listed));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(head.length);
  yield length;
  yield head;
  for (const file of files) yield file.read();
}

/** The image of a folder. */
export function imageOf(folder: string): Buffer {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({
      entry,
      path: join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, "/"),
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const folders = entries.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path);
  const files = entries
    .filter(({ entry }) => entry.isFile())
    .map(({ path }) => {
      const content = readFileSync(join(folder, path));
      return { path, length: content.length, read: () => content };
    });
  return Buffer.concat([...imageParts(folders, files)]);
}
