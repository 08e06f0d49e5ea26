import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Config } from "../../server/config/settings.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { bocText } from "../helpers/contracts/contracts.js";
import { compile } from "../helpers/contracts/tolk.js";
import { publicAddress, startNetwork, type TestNetwork } from "../helpers/peers/metadata-network.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { until } from "../helpers/until.js";

/** Items are contracts of this code, whose data have the verifier, the code that they are about, and a content. */
const itemSource = `
  get fun get_source_item_data(): (int, int, address, cell?) {
    var data = contract.getData().beginParse();
    val verifier = data.loadUint(256);
    val code = data.loadUint(256);
    return (verifier, code, contract.getAddress(), data.remainingRefsCount() == 0 ? null : data.loadRef());
  }
`;
/** Knows its items by code, and finds none of another verifier. */
const registrySource = `
  get fun get_source_item_address(verifier: int, code: int): address {
    var data = contract.getData().beginParse();
    val own = data.loadUint(256);
    val first = data.loadRef().beginParse();
    if ((verifier != own) | (code == 0)) { return contract.getAddress(); }
    return createAddressFromHash(code);
  }
  fun createAddressFromHash(hash: int): address {
    return beginCell().storeUint(4, 3).storeInt(0, 8).storeUint(hash, 256).endCell().beginParse().loadAddress();
  }
`;

const name = "verifier.example";
const idOf = (verifier: string) => createHash("sha256").update(verifier).digest();
const registry = new Address(0, new Uint8Array(32).fill(0x5e));
const cid = (letter: string) => `Qm${letter.repeat(44)}`;
const files = [
  { url: `ipfs://${cid("a")}`, filename: "imports/params.fc" },
  { url: "https://files.example/main.fc", filename: "main.fc", isEntrypoint: true },
];

/** A code that is verified; its number also makes the address of its item. */
const codeOf = (n: number) => beginCell().storeUint(n, 32).endCell();

describe("a registry of sources on the chain", () => {
  let service: DevnetService;
  let network: TestNetwork;
  const documents = new Map<string, string>();

  beforeAll(async () => {
    network = await startNetwork({}, (request, response) => {
      const found = documents.get(`${request.headers.host}${request.url}`);
      response.writeHead(found === undefined ? 404 : 200).end(found ?? "");
    });
    const settings: Partial<Config> = {
      metadataIpfsGateway: "https://gateway.example/ipfs/",
      sourcesRegistry: [{ registry: registry.toRawUpper(), verifier: name }],
      anonymousRps: "unlimited",
    };
    const resolve = async (host: string) => (host === "inside.example" ? ["10.0.0.1"] : [publicAddress]);
    service = await startDevnetService(settings, {
      metadataNetwork: { ...network, resolve },
      metadataHostIntervalMs: 0,
    });
    await place(
      registry,
      await compile(registrySource),
      beginCell().storeBytes(idOf(name)).storeRef(Cell.empty).endCell(),
    );
  });
  afterAll(async () => {
    await service?.close();
    await network?.close();
  });

  const place = (address: Address, code: Cell, data: Cell) =>
    service.run("devnet.setAccount", {
      ...{ address: address.toRaw(), balance: "1000000000", code: bocText(code), data: bocText(data) },
    });

  /** Registers a link for a code. */
  async function register(code: Cell, link: string, version = 1): Promise<void> {
    const content = beginCell().storeUint(version, 8).storeBytes(Buffer.from(link)).endCell();
    const data = beginCell().storeBytes(idOf(name)).storeBytes(code.hash()).storeRef(content).endCell();
    await place(new Address(0, code.hash()), await compile(itemSource), data);
  }

  const sourcesOf = async (code: Cell) => {
    const params = { code_hash: bytesToHex(code.hash()), include_sources: true };
    return (await service.run<{ sources: { files: unknown[] }[] }>("v3.debug.abi", params)).sources;
  };
  const warned = (reason: RegExp) =>
    until(`${reason}`, () => service.logLines.some((line) => reason.test(line)));

  it("has the sources of a code, by IPFS and from public hosts, as its verifier's claim", async () => {
    const code = codeOf(1);
    await register(code, `ipfs://${cid("s")}`);
    const list = {
      ...{ compiler: "func", compilerSettings: { funcVersion: "0.4.6", commandLine: "-SPA main.fc" } },
      ...{ hash: bytesToBase64(code.hash()), verificationDate: 1_700_000_000_000, sources: files },
    };
    documents.set(`gateway.example/ipfs/${cid("s")}`, JSON.stringify(list));
    documents.set(`gateway.example/ipfs/${cid("a")}`, "const int a = 1;");
    documents.set("files.example/main.fc", "() main() {}");
    expect(await sourcesOf(code)).toEqual([]);
    const [found] = await until("the sources", async () => {
      const found = await sourcesOf(code);
      return found.length > 0 && found;
    });
    expect(found).toEqual({
      ...{ contract: "main", trust: "claimed", compiler: "func 0.4.6", map: null, is_cut: false },
      file: `${bytesToHex(code.hash())}/${name}`,
      files: [
        { file: "imports/params.fc", text: "const int a = 1;" },
        { file: "main.fc", text: "() main() {}" },
      ],
    });
    expect(network.requests).toEqual([
      `GET gateway.example/ipfs/${cid("s")}`,
      `GET gateway.example/ipfs/${cid("a")}`,
      "GET files.example/main.fc",
    ]);
  });

  it("is asked in vain for a code that it does not have, without a warning", async () => {
    const before = network.requests.length;
    expect(await sourcesOf(codeOf(2))).toEqual([]);
    const other = codeOf(3);
    await register(other, "https://inside.example/sources.json");
    await sourcesOf(other);
    await warned(/metadata cannot be fetched: address/);
    expect(network.requests).toHaveLength(before);
    expect(service.logLines.filter((line) => line.includes("what is claimed of a code"))).toHaveLength(1);
  });

  it.each<[string, number, string, RegExp]>([
    ["another code's list", 4, JSON.stringify({ hash: bytesToBase64(codeOf(1).hash()) }), /of another code/],
    ["no list", 5, "[]", /expected an object/],
    ["too many files", 6, JSON.stringify({ sources: Array(65).fill(files[1]) }), /at most 64 items/],
    ["a long list", 7, `"${"x".repeat(1 << 20)}"`, /cannot be fetched: size/],
  ])("is not believed if it links to %s", async (_, n, text, reason) => {
    const code = codeOf(n);
    const link = cid(String(n));
    documents.set(`gateway.example/ipfs/${link}`, text);
    await register(code, `ipfs://${link}`);
    expect(await sourcesOf(code)).toEqual([]);
    await warned(reason);
    expect(await sourcesOf(code)).toEqual([]);
  });

  it("is read no further than 4 MiB for a code", async () => {
    const code = codeOf(8);
    const links = Array.from({ length: 5 }, (_, n) => `long.example/${n}.fc`);
    const sources = links.map((link, n) => ({ url: `https://${link}`, filename: `${n}.fc` }));
    for (const link of links) documents.set(link, "x".repeat(1 << 20));
    documents.set("long.example/sources.json", JSON.stringify({ sources }));
    await register(code, "https://long.example/sources.json");
    await sourcesOf(code);
    await until("the fourth file", () => network.requests.some((each) => each.endsWith("/3.fc")));
    await until("an end", async () => (await sourcesOf(code)).length === 0);
    expect(network.requests.some((each) => each.endsWith("/4.fc"))).toBe(false);
  });

  it("is not believed in another version", async () => {
    const code = codeOf(9);
    await register(code, "https://files.example/sources.json", 2);
    await sourcesOf(code);
    await warned(/version of a registered item is not 1/);
  });
});
