import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { externalMessage } from "../../server/chain/external-message.js";
import { storyArtifacts } from "../../server/process/service/artifacts.js";
import { AbiCoder } from "../../shared/ton/abi/coder.js";
import { readTolkAbi } from "../../shared/ton/abi/tolk.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { counterAbi, counterOwner, counterSource } from "../helpers/abi/counter-contract.js";
import { tolkAbi } from "../helpers/abi/made-abi.js";
import { libraryCell, publishingCode } from "../helpers/chain/library-cell.js";
import { compile } from "../helpers/contracts/tolk.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { until } from "../helpers/until.js";

const counter = new Address(0, new Uint8Array(32).fill(0xc0));
const address = counter.toRawUpper();
/** Its code is a library cell. */
const twin = new Address(0, new Uint8Array(32).fill(0xc1)).toRawUpper();
const publisher = new Address(-1, new Uint8Array(32).fill(6)).toRawUpper();
const base64 = (cell: Cell) => bytesToBase64(serializeBoc(cell));
const coder = new AbiCoder(readTolkAbi(counterAbi()));
const data = coder.writeStorage({ count: -5, owner: counterOwner, points: { "3": "7" } });
/** The code of two entries of the catalogue. */
const sharedHash = "12".repeat(32);

/** A get-method without a description. */
const twinAbi = (methods: number) =>
  tolkAbi({
    unique_types: [{ kind: "intN", n: 8 }, { kind: "unknown" }],
    get_methods: Array.from({ length: methods }, (_, i) => ({
      tvm_method_id: i + 1,
      name: `m${i}`,
      parameters: [{ name: "any", ty_idx: i }],
      return_ty_idx: 0,
    })),
  });

describe("a service with a catalogue", () => {
  let service: DevnetService;
  let folder: string;
  let code: Cell;
  let codeHash: string;
  let catalogueText: string;

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
        contract("c-narrow", "Twin", twinAbi(1), { hashes: [sharedHash] }),
        contract("d-wide", "Twin", twinAbi(2), { hashes: [sharedHash] }),
      ],
    };
    const file = join(folder, "catalogue.json");
    catalogueText = JSON.stringify(catalogue);
    writeFileSync(file, catalogueText);
    const artifacts = join(folder, "build");
    mkdirSync(artifacts);
    writeFileSync(join(artifacts, "Own.abi.json"), JSON.stringify(tolkAbi({ contract_name: "a-own" })));
    service = await startDevnetService({
      ...{ index: true, artifacts, abiCatalog: file, anonymousRps: "unlimited" },
    });
    const place = (where: string, code: Cell, more: object) =>
      service.run("devnet.setAccount", {
        address: where,
        balance: "10000000000",
        code: base64(code),
        ...more,
      });
    await place(address, code, { data: base64(data) });
    await place(twin, libraryCell(code), { data: base64(data) });
    await place(publisher, publishingCode(code), {});
    const body = coder.writeBody("external", "Add", { by: 5 });
    await service.run("sendBoc", { boc: base64(externalMessage(counter, body, undefined)) });
    await service.run("devnet.impersonate", { from: twin, to: publisher, value: "1000000000" });
    await service.mine(2);
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

  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}/api/v3/acton/${path}`, { headers });
    const text = await response.text();
    return {
      ...response,
      status: response.status,
      headers: response.headers,
      json: text && JSON.parse(text),
    };
  };
  const post = async (path: string, body: object) => {
    const { status, json } = await service.post(`/api/v3/acton/${path}`, body);
    return { status, json: json as Record<string, unknown> & { error: string } };
  };

  describe("v3.acton.contracts", () => {
    const idsOf = (json: { contracts: { catalog_id: string }[] }) =>
      json.contracts.map(({ catalog_id }) => catalog_id);

    it("lists all contracts by id, without their ABIs", async () => {
      const { json, headers } = await ask("contracts");
      const story = (await storyArtifacts()).map(({ contract }) => contract).sort();
      const total = story.length + 4;
      expect(json).toMatchObject({ total, limit: total, offset: 0 });
      expect(idsOf(json)).toEqual([...story, "a-own", "b-counter", "c-narrow", "d-wide"]);
      expect(json.contracts.at(-1)).toEqual({
        catalog_id: "d-wide",
        display_name: "Twin",
        code_hashes: [bytesToBase64(new Uint8Array(32).fill(0x12))],
        known_addresses: [],
        links: [],
        get_methods: [
          { name: "m0", method_id: 1, parameters: [{ name: "any", type: "int8" }], return: "int8" },
          {
            ...{ name: "m1", method_id: 2, parameters: [{ name: "any", type: "unknown" }], return: "int8" },
            unsupported: "values of the parameter any cannot be given, as its type is not known",
          },
        ],
      });
      expect(headers.get("x-acton-catalog-revision")).toBe(
        createHash("sha256").update(catalogueText).digest("hex"),
      );
      const offset = story.length + 1;
      expect((await ask(`contracts?limit=1&offset=${offset}`)).json).toMatchObject({
        ...{ total, limit: 1, offset },
        contracts: [{ catalog_id: "b-counter", known_addresses: [address] }],
      });
      expect((await ask("contracts?offset=99")).json.contracts).toEqual([]);
    });

    it("selects contracts by ids and code hashes, with their ABIs, the best first", async () => {
      const hashes = `code_hash=${sharedHash}&code_hash=${encodeURIComponent(codeHash)}`;
      const { json } = await ask(`contracts?${hashes}&catalog_id=b-counter&catalog_id=gone`);
      expect(idsOf(json)).toEqual(["b-counter", "d-wide", "c-narrow"]);
      expect(json.contracts[0].abi).toEqual(counterAbi());
      const library = bytesToBase64(libraryCell(code).hash());
      expect(idsOf((await ask(`contracts?code_hash=${encodeURIComponent(library)}`)).json)).toEqual([
        "b-counter",
      ]);
      expect((await ask(`contracts?code_hash=${"00".repeat(32)}`)).json.total).toBe(0);
    });

    it("is not sent again while nothing changes", async () => {
      const { headers } = await ask("contracts");
      const etag = headers.get("etag")!;
      const again = await ask("contracts", { "If-None-Match": etag });
      expect([again.status, again.json, again.headers.get("etag")]).toEqual([304, "", etag]);
      expect((await ask("contracts?limit=1", { "If-None-Match": etag })).status).toBe(200);
    });

    it.each([
      "limit=0",
      "limit=1001",
      "offset=-1",
      "limit=x",
      "code_hash=bad",
      `catalog_id=${"a,".repeat(51)}`,
    ])("refuses %s", async (query) => expect((await ask(`contracts?${query}`)).status).toBe(422));
  });

  describe("v3.acton.decode", () => {
    const body = (name: string, fields: object) => base64(coder.writeBody("external", name, fields));
    const storage = { count: "-5", owner: counterOwner, points: [{ key: "3", value: "7" }] };

    it("reads storage and messages by a contract's id, or the hash of its code", async () => {
      const ids = [
        { contract_type: "b-counter" },
        { catalog_id: "b-counter" },
        { code_hash: code.hashHex() },
      ];
      for (const selector of ids)
        expect(await post("decode", { ...selector, direction: "storage", body: base64(data) })).toEqual({
          status: 200,
          json: {
            catalog_id: "b-counter",
            direction: "storage",
            type: { ty_idx: expect.any(Number), name: "Storage" },
            decoded: storage,
          },
        });
      const message = {
        catalog_id: "b-counter",
        direction: "incoming_external",
        body: body("Add", { by: 5 }),
      };
      expect((await post("decode", message)).json).toMatchObject({
        type: { name: "Add" },
        decoded: { by: "5" },
      });
    });

    it.each([
      [422, { direction: "storage" }],
      [422, { direction: "storage", contract_type: "b-counter", code_hash: sharedHash }],
      [404, { direction: "storage", contract_type: "gone" }],
      [409, { direction: "storage", code_hash: sharedHash }],
      [422, { direction: "deployment_storage", contract_type: "b-counter" }],
      [422, { direction: "incoming_messages", contract_type: "b-counter" }],
      [422, { direction: "incoming_external", contract_type: "b-counter" }],
      [422, { direction: "storage", contract_type: "b-counter", body: "AAAA" }],
      [422, { direction: "other", contract_type: "b-counter" }],
    ])("answers %i to %j", async (status, params) => {
      const answer = await post("decode", { body: base64(beginCell().endCell()), ...params });
      expect(answer).toEqual({ status, json: { error: expect.any(String) } });
      if (status === 409) expect(answer.json.error).toContain("d-wide, c-narrow");
    });
  });

  describe("v3.acton.runGetMethod", () => {
    it("runs by the ABI of the code, with arguments and results in its types", async () => {
      const state = coder.getMethod("state")!;
      for (const method of ["state", state.id, String(state.id)]) {
        const { status, json } = await post("runGetMethod", { address, method });
        expect(status).toBe(200);
        expect(json).toMatchObject({
          ...{ success: true, exit_code: 0, catalog_id: "b-counter", identification: "exact_code_hash" },
          decoded: { count: "0", owner: counterOwner, points: [{ key: "3", value: "7" }] },
          method: { name: "state", method_id: state.id, parameters: [], return: "Storage" },
          snapshot: { address, code_hash: codeHash, mc_seqno: expect.any(Number) },
        });
        expect(json["stack"]).toHaveLength(3);
        expect(json["raw_stack"]).toHaveLength(3);
        expect(Object.keys(json)).not.toContain("decode_error");
      }
      const args = { flag: true, point: { x: 1, y: "2" }, who: null };
      const mixed = await post("runGetMethod", { address, method: "mixed", args });
      expect(mixed.json["decoded"]).toEqual([false, { x: "1", y: "2" }, null]);
      const raw = { address, method: "takes", stack: [{ type: "num", value: "1" }] };
      expect((await post("runGetMethod", raw)).json).toMatchObject({
        ...{ success: false, exit_code: 2, decoded: null },
        decode_error: "the method ended with exit code 2",
      });
    });

    it("finds the ABI of a library by the cell that refers to it, at any block", async () => {
      const { json } = await post("runGetMethod", { address: twin, method: "state" });
      expect(json).toMatchObject({
        ...{ success: true, catalog_id: "b-counter", identification: "library_reference" },
        snapshot: { implementation_hash: codeHash },
      });
      const { mc_seqno: seqno } = json["snapshot"] as { mc_seqno: number };
      for (const at of [{ seqno: seqno - 1 }, { mc_seqno: seqno - 1 }])
        expect((await post("runGetMethod", { address, method: "state", ...at })).json).toMatchObject({
          snapshot: { mc_seqno: seqno - 1 },
        });
    });

    it.each([
      [404, { address: "Ef8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAU" }],
      [404, { address: `0:${"9".repeat(64)}` }],
      [422, { method: "gone" }],
      [422, { args: { unknown: 1 } }],
      [422, { args: {}, stack: [] }],
      [422, { seqno: 0 }],
      [422, { address: "x" }],
    ])("answers %i to %j", async (status, params) => {
      const answer = await post("runGetMethod", { address, method: "state", ...params });
      expect(answer).toEqual({ status, json: { error: expect.any(String) } });
    });
  });
});
