import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { FolderImage, imageOf } from "../../../server/store/pglite/folder-image.js";
import { openUnnamed, PagePool, type UnnamedFile } from "../../../server/store/pglite/page-pool.js";
import { PagedFile } from "../../../server/store/pglite/paged-file.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const page = 8192;
const maxBytes = 4 * page;

/** An image with one file. */
function imageWith(content: Uint8Array): FolderImage {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), content);
  const path = join(temporaryFolder(), "image");
  writeFileSync(path, imageOf(folder));
  return new FolderImage(path);
}

/** Places and lengths are often those of pages. */
const place = fc.oneof(
  fc.nat({ max: 3 }).map((pages) => pages * page),
  fc.nat({ max: maxBytes }),
);
const step = fc.oneof(
  fc.record({ write: fc.constantFrom(0, 1, 255), at: place, length: place }),
  fc.record({ cut: place }),
);

/** All in memory; the second page and those after it in a file; a disk that becomes full, or is. */
const pools = [
  () => new PagePool(Number.POSITIVE_INFINITY),
  () => opened(new PagePool(1)),
  () => opened(new PagePool(1, { openFile: fullAfter(2) })),
  () => opened(new PagePool(0, { openFile: fullAfter(0) })),
];

function fullAfter(writes: number): () => UnnamedFile {
  return () => {
    const file = openUnnamed();
    let left = writes;
    return {
      ...file,
      write: (bytes, position) =>
        left-- > 0 ? file.write(bytes, position) : file.write(bytes.subarray(0, 1), position),
    };
  };
}

function opened(pool: PagePool): PagePool {
  onTestFinished(() => pool.close());
  return pool;
}

test("a pool whose file is full, or cannot be opened, says so once", () => {
  const missing = new Error("no such folder");
  const cannotOpen = () => {
    throw missing;
  };
  for (const [openFile, reported] of [
    [fullAfter(1), "1 of 8192 bytes of a page could be written"],
    [cannotOpen, missing.message],
  ] as const) {
    const failures: unknown[] = [];
    const pool = opened(new PagePool(0, { openFile, onNoFile: (error) => void failures.push(error) }));
    for (let count = 0; count < 4; count++) pool.keep(new Uint8Array(page));
    expect(failures.map((error) => (error as Error).message)).toEqual([reported]);
  }
});

test("a file in pages has the content of one in a piece, wherever it is written and cut", () => {
  fc.assert(
    fc.property(
      place,
      fc.array(step, { maxLength: 12 }),
      fc.constantFrom(...pools),
      (imageLength, steps, pool) => {
        const image = imageWith(new Uint8Array(imageLength).fill(7));
        const file = new PagedFile(pool());
        file.beginWith(image, image.files[0]!);
        const expected = new Uint8Array(2 * maxBytes).fill(7, 0, imageLength);
        for (const taken of steps) {
          if ("cut" in taken) {
            file.cut(taken.cut);
            expected.fill(0, taken.cut);
          } else {
            file.write(new Int8Array(taken.length + 1).fill(taken.write), 1, taken.length, taken.at);
            expected.fill(taken.write, taken.at, taken.at + taken.length);
          }
        }
        const content = new Uint8Array(expected.length + 1).fill(9);
        file.read(content, 1, expected.length, 0);
        const part = new Uint8Array(page);
        file.read(part, 0, page, page / 2);
        image.close();
        expect(Buffer.compare(content.subarray(1), expected)).toBe(0);
        expect(Buffer.compare(part, expected.subarray(page / 2, page / 2 + page))).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
});
