import { MemoryFS, PGlite } from "@electric-sql/pglite";
import { type FileContent, type FolderImage, imageParts } from "./folder-image.js";
import { type Bytes, PagePool, pageBytes } from "./page-pool.js";
import { PagedFile } from "./paged-file.js";

/** What is used of the file system in the engine's JavaScript. */
type Node = {
  name: string;
  mode: number;
  usedBytes: number;
  /** Of a folder: what is in it. */
  contents: Record<string, Node>;
  node_ops: NodeCalls;
  stream_ops: object;
  file?: PagedFile;
};
type Stream = { node: Node };
type NodeCalls = {
  mknod(parent: Node, name: string, mode: number, device: number): Node;
  setattr(node: Node, attributes: { size?: number }): void;
};
type FileSystem = {
  /** Its root is in memory. */
  root: { mount: { type: { mount(mount: unknown): Node } } };
  isDir(mode: number): boolean;
  isFile(mode: number): boolean;
  mkdirTree(path: string): void;
  mount(type: object, options: object, path: string): void;
  create(path: string): Node;
  lookupPath(path: string): { node: Node };
};

const { PGDATA } = PGlite.paths;
/** The write-ahead log, which checkpoints cut, stays in memory. */
const logFolder = "pg_wal";
/** Pages that are written beyond 32 MB are kept in a temporary file. */
const pagesInMemory = (32 << 20) / pageBytes;
/** What the engine writes about itself while it runs. */
const ofThisRun: ReadonlySet<string> = new Set(["postmaster.pid", "postmaster.opts"]);

/**
 * Files of a database that is gone with the process. Only pages that were written take memory, and only so many: those of
 * the image that the database began with stay in the image, and pages of zeros, with which the engine makes room, are not
 * kept.
 */
export class MemoryFiles extends MemoryFS {
  readonly #image: FolderImage | undefined;
  readonly #pool = new PagePool(pagesInMemory);

  constructor(image: FolderImage | undefined) {
    super();
    this.#image = image;
  }

  override async init(...[engine, options]: Parameters<MemoryFS["init"]>): ReturnType<MemoryFS["init"]> {
    await super.init(engine, options);
    const mount = ({ FS }: { FS: unknown }) => mountPaged(FS as FileSystem, this.#pool);
    return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), mount] } };
  }

  override async initialSyncFs(): Promise<void> {
    const image = this.#image;
    if (image === undefined) return;
    const files = this.pg!.Module.FS as unknown as FileSystem;
    for (const path of image.folders) files.mkdirTree(`${PGDATA}/${path}`);
    for (const file of image.files) {
      const node = files.create(`${PGDATA}/${file.path}`);
      node.usedBytes = file.length;
      node.file!.beginWith(image, file);
    }
  }

  /** The parts of an image of the files. They must not be written while it is taken. */
  image(): Generator<Uint8Array> {
    const files = this.pg!.Module.FS as unknown as FileSystem;
    const folders: string[] = [];
    const found: FileContent[] = [];
    const visit = ({ contents }: Node, prefix: string): void => {
      for (const [name, node] of Object.entries(contents)) {
        const path = prefix + name;
        if (files.isDir(node.mode)) {
          folders.push(path);
          visit(node, `${path}/`);
        } else if (!ofThisRun.has(path)) found.push(contentOf(node, path));
      }
    };
    visit(files.lookupPath(PGDATA).node, "");
    return imageParts(folders, found);
  }

  override async closeFs(): Promise<void> {
    await super.closeFs();
    this.#image?.close();
    this.#pool.close();
  }
}

function contentOf({ file, usedBytes: length }: Node, path: string): FileContent {
  const read = () => {
    const bytes = new Uint8Array(length);
    file!.read(bytes, 0, length, 0);
    return bytes;
  };
  return { path, length, read };
}

/** Puts a file system of the kind in memory where the data are, with other contents of files. */
function mountPaged(files: FileSystem, pool: PagePool): void {
  const ofLog = new PagePool(Number.POSITIVE_INFINITY);
  files.mkdirTree(PGDATA);
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
