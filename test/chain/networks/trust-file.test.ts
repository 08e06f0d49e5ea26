import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { TrustFile } from "../../../server/chain/networks/trust-file.js";
import type { TrustRecord } from "../../../shared/ton/proofs/verify/trust/trust-record.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const hashOf = (byte: number) => new Uint8Array(32).fill(byte);
const text64 = (byte: number) => Buffer.from(hashOf(byte)).toString("base64");
const blockOf = (seqno: number, byte: number) => ({
  workchain: masterchain,
  shard: wholeShard,
  seqno,
  rootHash: hashOf(byte),
  fileHash: hashOf(byte + 1),
});

const record: TrustRecord = {
  network: "test",
  zeroState: blockOf(0, 1),
  start: blockOf(5, 3),
  keyBlock: blockOf(900, 5),
  genUtime: 1_700_000_000,
  verifiedAt: 1_700_000_100,
};
const wire = {
  format: 1,
  network: "test",
  zero_state: { root_hash: text64(1), file_hash: text64(2) },
  start: { seqno: 5, root_hash: text64(3), file_hash: text64(4) },
  key_block: { seqno: 900, root_hash: text64(5), file_hash: text64(6), gen_utime: 1_700_000_000 },
  verified_at: 1_700_000_100,
};

describe("trust.json", () => {
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = temporaryFolder();
    path = join(directory, "trust.json");
  });

  const read = async () => {
    const problems: string[] = [];
    const found = await new TrustFile(directory).read((problem) => problems.push(problem));
    return { found, problems };
  };

  test("has the proven key block, and is read as it was written", async () => {
    const file = new TrustFile(directory);
    expect(file.path).toBe(path);
    await file.write(record);
    expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(wire, null, 1)}\n`);
    expect(await read()).toEqual({ found: record, problems: [] });
  });

  test("has the newest block that was seen, if that is kept", async () => {
    const file = new TrustFile(directory);
    await file.write({ ...record, head: blockOf(950, 7) });
    const { head } = JSON.parse(readFileSync(path, "utf8"));
    expect(head).toEqual({ seqno: 950, root_hash: text64(7), file_hash: text64(8) });
    expect((await read()).found?.head).toEqual(blockOf(950, 7));
  });

  test("is written into a folder that does not exist yet", async () => {
    const inner = join(directory, "a", "b");
    await new TrustFile(inner).write(record);
    expect(JSON.parse(readFileSync(join(inner, "trust.json"), "utf8"))).toEqual(wire);
  });

  test("is absent at first", async () => {
    expect(await read()).toEqual({ found: undefined, problems: [] });
  });

  test("is not written by a reader", async () => {
    await new TrustFile(directory, true).write(record);
    expect(await read()).toEqual({ found: undefined, problems: [] });
  });

  test.each([
    ["is no JSON", "{", /JSON/],
    ["has another format", { ...wire, format: 2 }, /format/],
    ["has no network", { ...wire, network: undefined }, /network/],
    [
      "has a short hash",
      { ...wire, zero_state: { ...wire.zero_state, root_hash: "AAAA" } },
      /a hash has 32 bytes/,
    ],
    ["has a hash that is no base64", { ...wire, start: { ...wire.start, file_hash: "?" } }, /file_hash/],
    ["has a negative seqno", { ...wire, start: { ...wire.start, seqno: -1 } }, /seqno/],
    ["has a seqno beyond 32 bits", { ...wire, start: { ...wire.start, seqno: 2 ** 32 } }, /seqno/],
    ["has a broken seqno", { ...wire, key_block: { ...wire.key_block, seqno: 1.5 } }, /seqno/],
    ["has a negative time", { ...wire, key_block: { ...wire.key_block, gen_utime: -1 } }, /gen_utime/],
    ["has a newest block without hashes", { ...wire, head: { seqno: 950 } }, /root_hash/],
    ["was verified at no time", { ...wire, verified_at: undefined }, /verified_at/],
  ])("is set aside if it %s", async (_, content, problem) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(path, text);
    const { found, problems } = await read();
    expect(found).toBeUndefined();
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(readFileSync(`${path}.bad`, "utf8")).toBe(text);
    expect(await read()).toEqual({ found: undefined, problems: [] });
  });

  test("takes the highest seqno and the first second", async () => {
    const extreme = { ...wire, start: { ...wire.start, seqno: 2 ** 32 - 1 }, verified_at: 0 };
    writeFileSync(path, JSON.stringify(extreme));
    expect((await read()).found).toMatchObject({ start: { seqno: 2 ** 32 - 1 }, verifiedAt: 0 });
  });

  test("stops the start if it is invalid and cannot be renamed", async () => {
    writeFileSync(path, "{");
    mkdirSync(join(`${path}.bad`, "full"), { recursive: true });
    const problem = await read().catch((error: Error) => error);
    expect(problem).toMatchObject({ isSetupError: true, cause: expect.any(Error) });
    expect((problem as Error).message).toMatch(
      new RegExp(`^${path} is invalid \\(.+\\) and cannot be renamed \\(.+\\): remove it$`, "s"),
    );
  });
});
