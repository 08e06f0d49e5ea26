import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { expect, onTestFinished, test } from "vitest";
import { emptyDatabase } from "../../../server/store/pglite/empty-database.js";
import { startEngine } from "../../../server/store/pglite/engine.js";
import { FolderImage } from "../../../server/store/pglite/folder-image.js";
import { MemoryFiles } from "../../../server/store/pglite/memory-files.js";
import { isLong, variants } from "../../helpers/effort.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

type Hidden = { FS: { root: { mount: { type: object } } } };

const fail = (error: unknown): never => {
  throw error;
};

/** Files for an engine that lacks a member, or has it with another meaning. */
function filesWithout(change: (module: Hidden) => void, image: FolderImage | undefined): MemoryFiles {
  return new (class extends MemoryFiles {
    override async init(...given: Parameters<MemoryFiles["init"]>): ReturnType<MemoryFiles["init"]> {
      const { emscriptenOpts } = await super.init(...given);
      const preRun = emscriptenOpts.preRun as ((module: Hidden) => void)[];
      return { emscriptenOpts: { ...emscriptenOpts, preRun: [change, ...preRun] } as typeof emscriptenOpts };
    }
  })(image, fail);
}

async function started(fs: MemoryFiles): Promise<PGlite> {
  const engine = await startEngine({ fs });
  onTestFinished(() => engine.close());
  return engine;
}

type Lack = [string, (module: Hidden) => void];

const noMember: Lack = [
  "has no such member",
  ({ FS }) => {
    FS.root.mount.type = {};
  },
];
const otherFiles: Lack = [
  "makes files of another kind",
  ({ FS }) => {
    const { type } = FS.root.mount as { type: { mount(mount: unknown): { node_ops: object } } };
    const mount = (mount: unknown) => {
      const node = type.mount(mount);
      const { node_ops: calls } = node;
      return Object.defineProperty(node, "node_ops", { get: () => calls, set: () => {} });
    };
    FS.root.mount.type = { mount };
  },
];

test.each(variants([noMember], [otherFiles]))(
  "an engine that %s has its files in memory as they are, which are those that others have in pages",
  async (_, change) => {
    const files = filesWithout(change, emptyDatabase());
    const engine = await started(files);
    expect(files.isPaged).toBe(false);
    await engine.exec(
      "create table kept (number integer); insert into kept select generate_series(1, 5000); checkpoint",
    );
    const path = join(temporaryFolder(), "image");
    writeFileSync(path, Buffer.concat([...files.image()]));

    const count = "select count(*)::integer as count from kept";
    const inPages = new MemoryFiles(new FolderImage(path), fail);
    for (const again of [inPages, ...(isLong ? [filesWithout(change, new FolderImage(path))] : [])]) {
      const later = await started(again);
      expect((await later.query(count)).rows).toEqual([{ count: 5000 }]);
      expect(again.isPaged).toBe(again === inPages);
    }
  },
);
