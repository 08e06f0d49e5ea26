import { expect, test } from "vitest";
import { readArtifact } from "../../server/artifacts/formats.js";
import { ArtifactStore } from "../../server/artifacts/store.js";
import { readStorages } from "../../server/methods/v3/account-storage.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { MadeTypes } from "../helpers/abi/made-abi.js";

const codeHash = bytesToBase64(new Uint8Array(32).fill(1));
const call = { signal: new AbortController().signal };

function storeWith(...storages: readonly number[]): ArtifactStore {
  const store = new ArtifactStore();
  const abis = storages.map((n, i) => {
    const types = new MadeTypes();
    const at = types.struct("Storage", { n: types.type({ kind: "uintN", n }) });
    const abi = types.abi({ contract_name: `C${i}`, storage: { storage_ty_idx: at } });
    return { ...readArtifact(`C${i}.abi.json`, abi)!, codeHashes: [codeHash] };
  });
  store.setOwn(abis);
  return store;
}

const account = (data_boc: string | null, code_hash: string | null = codeHash) => ({
  address: `0:${"0".repeat(64)}`,
  code_hash,
  data_boc,
});
const dataOf = (bits: number) =>
  bytesToBase64(serializeBoc(beginCell().storeUint(7, bits).endCell(), { crc32: false }));

test("the storage is that of the first ABI that it fits", async () => {
  const rows = [
    account(dataOf(16)),
    account(dataOf(8)),
    account(dataOf(4)),
    account(null),
    account(dataOf(8), null),
  ];
  expect(await readStorages(rows, storeWith(8, 16), call)).toEqual([
    { storage: { n: "7" } },
    { storage: { n: "7" } },
    { storage_error: "the data do not fit the storage of C0" },
    undefined,
    undefined,
  ]);
  expect(await readStorages([account(dataOf(8))], storeWith(), call)).toEqual([undefined]);
});

test("large data are left out, and large answers are refused", async () => {
  const large = "A".repeat((1 << 20) + 4);
  expect(await readStorages([account(large)], storeWith(8), call)).toEqual([
    { storage_error: "the data exceed 1 MiB" },
  ]);
  await expect(readStorages(Array(8).fill(account(large)), storeWith(8), call)).rejects.toMatchObject({
    code: "too-large",
  });
});
