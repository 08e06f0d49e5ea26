// PGlite's own way to begin with an image is a copy of its 1,135 files in a temporary folder. A start took 0.7 s more processor time
// with it (medians of five: 3.0 s for 2.3 s; 4.2 s instead of 2.3 s until v3 answers), and kill -9 left 24 MB on the disk, which
// all saves 10 MB of memory. So the files stay here, with hooks into emscripten.
import { MemoryFS, PGlite } from "@electric-sql/pglite";
import { type FileContent, type FolderImage, imageParts } from "./folder-image.js";
import { type Bytes, PagePool, pageBytes } from "./page-pool.js";
import { PagedFile } from "./paged-file.js";

/** Members of emscripten's files in memory that it does not document. They are used in this file only. */
type Node = {
  name: string;
  usedBytes: number;
  node_ops: NodeCalls;
  stream_ops: object;
  file?: PagedFile;
};
type Stream = { node: Node };
type NodeCalls = {
  mknod(parent: Node, name: string, mode: number, device: number): Node;
  setattr(node: Node, attributes: { size?: number }): void;
};
/** Its root is in memory, which emscripten does not document either. */
type Root = { mount: { type: { mount(mount: unknown): Node } } };
/** The documented file system of emscripten, as far as it is used. */
type FileSystem = {
  root: Root;
  isDir(mode: number): boolean;
  isFile(mode: number): boolean;
  mkdirTree(path: string): void;
  mount(type: object, options: object, path: string): void;
  unmount(path: string): void;
  readdir(path: string): string[];
  stat(path: string): { mode: number; size: number };
  readFile(path: string): Uint8Array;
  writeFile(path: string, content: Uint8Array): void;
  truncate(path: string, length: number): void;
  unlink(path: string): void;
  lookupPath(path: string): { node: Node };
};

const { PGDATA } = PGlite.paths;
/** The write-ahead log, which checkpoints cut, stays in memory. */
const logFolder = "pg_wal";
/** Pages that are written beyond 32 MB are kept in a temporary file. */
const pagesInMemory = (32 << 20) / pageBytes;
/** Files that the engine writes about itself while it runs. */
const ofThisRun: ReadonlySet<string> = new Set(["postmaster.pid", "postmaster.opts"]);

/**
 * Files of a database that is gone with the process. Only pages that were written take memory, and only so many: those of
 * the image that the database began with stay in the image, and pages of zeros, with which the engine makes room, are not
 * kept. With an engine whose files cannot be hooked, all of them are in memory.
 */
export class MemoryFiles extends MemoryFS {
  readonly #image: FolderImage | undefined;
  readonly #pool: PagePool;
  #isPaged = false;

  /** `onNoFile`: called when pages cannot be written to the temporary file. */
  constructor(image: FolderImage | undefined, onNoFile: (error: unknown) => void) {
    super();
    this.#image = image;
    this.#pool = new PagePool(pagesInMemory, { onNoFile });
  }

  override async init(...[engine, options]: Parameters<MemoryFS["init"]>): ReturnType<MemoryFS["init"]> {
    await super.init(engine, options);
    const mount = ({ FS }: { FS: unknown }) => {
      this.#isPaged = mountPaged(FS as FileSystem, this.#pool);
    };
    return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), mount] } };
  }

  /** Whether pages that were not written take no memory. */
  get isPaged(): boolean {
    return this.#isPaged;
  }

  override async initialSyncFs(): Promise<void> {
    const image = this.#image;
    if (image === undefined) return;
    const files = this.pg!.Module.FS as unknown as FileSystem;
    for (const path of image.folders) files.mkdirTree(`${PGDATA}/${path}`);
    for (const file of image.files) {
      const path = `${PGDATA}/${file.path}`;
      files.writeFile(path, this.#isPaged ? nothing : image.contentOf(file));
      if (!this.#isPaged) continue;
      const { node } = files.lookupPath(path);
      node.usedBytes = file.length;
      node.file!.beginWith(image, file);
    }
  }

  /** The parts of an image of the files. They must not be written while it is taken. */
  image(): Generator<Uint8Array> {
    const files = this.pg!.Module.FS as unknown as FileSystem;
    const folders: string[] = [];
    const found: FileContent[] = [];
    const visit = (prefix: string): void => {
      for (const name of files.readdir(`${PGDATA}/${prefix}`)) {
        if (name === "." || name === "..") continue;
        const path = prefix + name;
        const { mode, size: length } = files.stat(`${PGDATA}/${path}`);
        if (files.isDir(mode)) {
          folders.push(path);
          visit(`${path}/`);
        } else if (!ofThisRun.has(path))
          found.push({ path, length, read: () => files.readFile(`${PGDATA}/${path}`) });
      }
    };
    visit("");
    return imageParts(folders, found);
  }

  override async closeFs(): Promise<void> {
    await super.closeFs();
    this.#image?.close();
    this.#pool.close();
  }
}

const nothing = new Uint8Array(0);

/**
 * Puts a file system of the kind in memory where the data are, with other contents of files. Returns whether it works: a
 * later engine may lack the members that this takes.
 */
function mountPaged(files: FileSystem, pool: PagePool): boolean {
  files.mkdirTree(PGDATA);
  try {
    mountHooked(files, pool);
  } catch {
    // Some member is missing, so nothing is mounted. `isPaged` shows it.
    return false;
  }
  if (isHooked(files)) return true;
  files.unmount(PGDATA);
  return false;
}

/** Whether a file has its content in pages: it is written, cut and read as the documentation says. */
function isHooked(files: FileSystem): boolean {
  const path = `${PGDATA}/trial`;
  const content = new Uint8Array(pageBytes + 1).fill(1);
  files.writeFile(path, content);
  files.truncate(path, pageBytes);
  const read = files.readFile(path);
  const { file } = files.lookupPath(path).node;
  const page = new Uint8Array(pageBytes);
  file?.read(page, 0, pageBytes, 0);
  files.unlink(path);
  return [read, page].every((bytes) => Buffer.compare(bytes, content.subarray(0, pageBytes)) === 0);
}

function mountHooked(files: FileSystem, pool: PagePool): void {
  const ofLog = new PagePool(Number.POSITIVE_INFINITY);
  const root = (mount: unknown): Node => {
    const node = files.root.mount.type.mount(mount);
    const inMemory = node.node_ops;
    const folderCalls = {
      ...inMemory,
      mknod(parent: Node, name: string, mode: number, device: number): Node {
        const made = inMemory.mknod(parent, name, mode, device);
        if (files.isDir(mode)) made.node_ops = folderCalls;
        if (!files.isFile(mode)) return made;
        made.file = new PagedFile(parent.name === logFolder ? ofLog : pool);
        made.node_ops = { ...made.node_ops, setattr: setAttributes(made.node_ops) };
        made.stream_ops = { ...made.stream_ops, ...fileCalls };
        return made;
      },
    };
    node.node_ops = folderCalls;
    return node;
  };
  files.mount({ mount: root }, {}, PGDATA);
}

function setAttributes(inMemory: NodeCalls): NodeCalls["setattr"] {
  return (node, { size, ...others }) => {
    inMemory.setattr(node, others);
    if (size === undefined) return;
    if (size < node.usedBytes) node.file!.cut(size);
    node.usedBytes = size;
  };
}

const fileCalls = {
  read({ node }: Stream, buffer: Bytes, offset: number, length: number, position: number): number {
    const size = Math.max(0, Math.min(node.usedBytes - position, length));
    node.file!.read(buffer, offset, size, position);
    return size;
  },
  write({ node }: Stream, buffer: Bytes, offset: number, length: number, position: number): number {
    node.file!.write(buffer, offset, length, position);
    node.usedBytes = Math.max(node.usedBytes, position + length);
    return length;
  },
  // Files are not mapped: the engine maps none of its data.
  mmap: undefined,
};
