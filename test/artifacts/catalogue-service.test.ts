import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { externalMessage } from "../../server/chain/external-message.js";
import { AbiCoder } from "../../shared/ton/abi/coder.js";
import { readTolkAbi } from "../../shared/ton/abi/tolk.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { counterAbi, counterOwner, counterSource } from "../helpers/abi/counter-contract.js";
import { compile } from "../helpers/contracts/tolk.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { until } from "../helpers/until.js";

const counter = new Address(0, new Uint8Array(32).fill(0xc0));
const address = counter.toRawUpper();
const base64 = (cell: Cell) => bytesToBase64(serializeBoc(cell));
const coder = new AbiCoder(readTolkAbi(counterAbi()));
const data = coder.writeStorage({ count: -5, owner: counterOwner, points: { "3": "7" } });

describe("a service with a catalogue", () => {
  let service: DevnetService;
  let folder: string;
  let code: Cell;
  let codeHash: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tonwire-catalogue-"));
    code = await compile(counterSource);
    codeHash = bytesToBase64(code.hash());
    const contract = (id: string, displayName: string, compilerAbi: unknown, more: object = {}) => ({
      ...{ id, displayName, hashes: [], knownAddresses: [], links: [], compilerAbi },
      ...more,
    });
    const catalogue = {
      schemaVersion: 1,
      contracts: [
        contract("b-counter", "Counter", counterAbi(), {
          hashes: [code.hashHex()],
          knownAddresses: [address],
          links: [
            { kind: "source", title: "Source", url: "https://example.org/counter" },
            { kind: "source", title: "Script", url: "javascript:alert(1)" },
          ],
        }),
      ],
    };
    const file = join(folder, "catalogue.json");
    writeFileSync(file, JSON.stringify(catalogue));
    service = await startDevnetService({ index: true, abiCatalog: file, anonymousRps: "unlimited" });
    await service.run("devnet.setAccount", {
      ...{ address, balance: "10000000000", code: base64(code), data: base64(data) },
    });
    const body = coder.writeBody("external", "Add", { by: 5 });
    await service.run("sendBoc", { boc: base64(externalMessage(counter, body, undefined)) });
    await service.mine();
    await service.run("devnet.settle");
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const entry = {
    catalog_id: "b-counter",
    display_name: "Counter",
    links: [{ kind: "source", title: "Source", url: "https://example.org/counter" }],
  };

  it.each([
    ["v3.transactions", { account: address }],
    ["v3.traces", { account: address }],
    ["v3.accountStates", { address }],
  ])("%s has the contracts of its codes in code_book", async (method, params) => {
    const book = async () =>
      (await service.run<{ code_book?: Record<string, unknown> }>(method, params)).code_book;
    // The catalogue is read beside the start.
    await until("the catalogue", async () => (await book()) !== undefined);
    expect(await book()).toEqual({ [codeHash]: { contracts: [entry] } });
  });
});
