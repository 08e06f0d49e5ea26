import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configHandlers } from "../../server/methods/v2/config.js";
import { parseBocRoot, serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import type { ChainHead } from "../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../shared/ton/proofs/read/reader.js";
import { ConfigDictionary } from "../../shared/ton/tlb/config-params.js";
import { base64ToBytes, bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { publishingCode } from "../helpers/chain/library-cell.js";
import { bocText, place, testAddress } from "../helpers/contracts/contracts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
});
afterAll(() => service.close());

type ConfigInfo = { config: { bytes: string } };
const configInfo = (cell: Cell) => ({
  "@type": "configInfo",
  config: { "@type": "tvm.cell", bytes: bocText(cell) },
});

async function wholeConfig(): Promise<ConfigDictionary> {
  const { config } = await service.run<ConfigInfo>("getConfigAll");
  return ConfigDictionary.load(parseBocRoot(base64ToBytes(config.bytes)!).parse());
}

describe("getConfigParam", () => {
  it("answers the parameter of the whole configuration, by either name of the number", async () => {
    const params = await wholeConfig();
    for (const number of [0, 1, 15, 34])
      for (const name of ["param", "config_id"])
        expect(await service.run("getConfigParam", { [name]: number })).toEqual(
          configInfo(params.get(number)!),
        );
  });

  it("answers a negative parameter, which networks have for their own contracts", async () => {
    const value = beginCell().storeUint(5, 8).endCell();
    await service.run("devnet.setConfig", { param: -71, value: bocText(value) });
    for (const param of [-71, "-71"])
      expect(await service.run("getConfigParam", { param })).toEqual(configInfo(value));
    expect((await service.get("/api/v2/getConfigParam?param=-71")).json).toMatchObject({ ok: true });
    expect(await service.run("getConfigParam", { param: -(2 ** 31) })).toMatchObject({
      config: { bytes: "" },
    });
    await service.run("devnet.setConfig", { param: -71 });
  });

  it("answers an empty cell for a parameter that is not set", async () => {
    expect(await service.run("getConfigParam", { param: 1000 })).toEqual({
      "@type": "configInfo",
      config: { "@type": "tvm.cell", bytes: "" },
    });
  });
});

describe("getConfigAll", () => {
  it("answers the dictionary of all parameters, at any block", async () => {
    const params = await wholeConfig();
    expect([...params.keys()]).toEqual(expect.arrayContaining([0, 1, 15, 34]));
    const answer = await service.run("getConfigAll");
    expect(answer).toEqual(configInfo(params.root!));
    await service.mine();
    expect(await service.run("getConfigAll", { seqno: 1 })).toEqual(answer);
  });
});

describe("getLibraries", () => {
  it("answers the libraries that the masterchain has, and leaves out the others", async () => {
    const library = beginCell().storeUint(0xc0de, 16).storeRef(Cell.empty).endCell();
    const code = publishingCode(library);
    const address = testAddress("1", -1);
    const hash = bytesToHex(library.hash());
    expect(await service.run("getLibraries", { libraries: [hash] })).toEqual({
      "@type": "smc.libraryResult",
      result: [],
    });
    await place(service, { address, code, balance: "10000000000" });
    const from = testAddress("2", -1);
    await service.run("devnet.impersonate", { from, to: address, value: "1000000000" });
    expect(await service.run("getLibraries", { libraries: [hash, "ab".repeat(32)] })).toEqual({
      "@type": "smc.libraryResult",
      result: [
        {
          "@type": "smc.libraryEntry",
          hash: bytesToBase64(library.hash()),
          data: bytesToBase64(serializeBoc(library, { crc32: false })),
        },
      ],
    });
  });

  it("hands on the bytes of the liteserver, also if it wraps a library in a cell", async () => {
    const library = beginCell().storeUint(0xc0de, 16).endCell();
    const hash = library.hash();
    for (const data of [
      serializeBoc(beginCell().storeRef(library).endCell()),
      serializeBoc(library, { crc32: false }),
    ]) {
      const lite = { getLibraries: async () => ({ result: [{ hash, data }] }) };
      const reader = new ChainReader({
        lite: lite as unknown as LiteApi,
        head: undefined as unknown as ChainHead,
      });
      const call = { signal: new AbortController().signal, asked: new Set<number>(), options: {} };
      const answer = await configHandlers.getLibraries({ libraries: [hash] }, { reader }, call);
      expect(answer.result).toEqual([
        { "@type": "smc.libraryEntry", hash: bytesToBase64(hash), data: bytesToBase64(data) },
      ]);
    }
  });
});
