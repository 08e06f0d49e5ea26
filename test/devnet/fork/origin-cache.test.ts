import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { emptyAccount } from "../../../server/chain/account-fields.js";
import { KeptAnswers } from "../../../server/devnet/fork/kept-answers.js";
import { keyLength, OriginCache } from "../../../server/devnet/fork/origin-cache.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { Address } from "../../../shared/values/address.js";
import { noFailure } from "../../helpers/no-fallback.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const address = new Address(0, new Uint8Array(32).fill(1));
const library = beginCell().storeUint(7, 8).storeRef(Cell.empty).endCell();

function accountOf(owner: Address): ShardAccount {
  const account = CellOf.of(Account, emptyAccount(owner, 1_700_000_000));
  return { account, lastTransHash: new Uint8Array(32).fill(2), lastTransLt: 5n };
}

type Options = { onFailure?: (error: unknown) => void; limits?: { bytes: number; records: number } };

/** Paths of caches that were reported to be full. */
const fulls: string[] = [];

function openCache(path: string, { onFailure = noFailure, limits }: Options = {}): OriginCache {
  const cache = new OriginCache({
    answers: KeptAnswers.open(path, keyLength, limits),
    onFailure,
    onFull: () => void fulls.push(path),
  });
  onTestFinished(() => cache.close());
  return cache;
}

describe("the answers of an origin", () => {
  test("are there again from their file, absences too", () => {
    const path = join(temporaryFolder(), "answers");
    const absent = new Address(-1, address.hash);
    const first = openCache(path);
    first.addAccount(address, { account: accountOf(address) });
    first.addAccount(absent, { account: undefined });
    first.addLibrary(library.hash(), library);
    first.close();
    const again = openCache(path);
    const { account } = again.account(address)!;
    expect(account!.account.cell.hash()).toEqual(accountOf(address).account.cell.hash());
    expect(account).toMatchObject({ lastTransLt: 5n, lastTransHash: new Uint8Array(32).fill(2) });
    expect(again.account(absent)).toMatchObject({ account: undefined });
    expect(again.library(library.hash())!.cell!.hash()).toEqual(library.hash());
    expect(again.account(new Address(0, new Uint8Array(32)))).toBeUndefined();
    expect(again.library(new Uint8Array(32))).toBeUndefined();
  });

  test("do not keep that a library is missing, which another service may have", () => {
    const path = join(temporaryFolder(), "answers");
    const first = openCache(path);
    first.addLibrary(library.hash(), undefined);
    expect(first.library(library.hash())).toMatchObject({ cell: undefined });
    first.close();
    expect(openCache(path).library(library.hash())).toBeUndefined();
  });

  test("stay in memory if the disk is full, which is reported", () => {
    const failures: unknown[] = [];
    const cache = openCache("/dev/full", { onFailure: (error) => failures.push(error) });
    cache.addAccount(address, { account: accountOf(address) });
    expect(failures).toEqual([expect.objectContaining({ code: "ENOSPC" })]);
    expect(cache.account(address)!.account!.lastTransLt).toBe(5n);
  });

  test.each([
    ["bytes", { bytes: 300, records: 100 }],
    ["records", { bytes: 10_000, records: 1 }],
  ])(
    "stay in memory if their file has as many %s as it may have, which is reported once",
    (_what, limits) => {
      const path = join(temporaryFolder(), "answers");
      const cache = openCache(path, { limits });
      const others = [3, 4].map((byte) => new Address(0, new Uint8Array(32).fill(byte)));
      cache.addAccount(address, { account: accountOf(address) });
      expect(cache.isFull).toBe(false);
      for (const each of others) cache.addAccount(each, { account: accountOf(each) });
      expect(cache.isFull).toBe(true);
      expect(fulls.filter((each) => each === path)).toHaveLength(1);
      for (const each of [address, ...others]) expect(cache.account(each)!.account!.lastTransLt).toBe(5n);
      cache.close();
      const again = openCache(path, { limits });
      expect(again.account(address)).toBeDefined();
      for (const each of others) expect(again.account(each)).toBeUndefined();
    },
  );

  test("are not written after the end", () => {
    const path = join(temporaryFolder(), "answers");
    const cache = openCache(path);
    cache.close();
    cache.addAccount(address, { account: accountOf(address) });
    expect(openCache(path).account(address)).toBeUndefined();
  });
});
