import { setImmediate as nextTurn } from "node:timers/promises";
import { AbiError } from "../../shared/ton/abi/abi-error.js";
import { AbiCoder } from "../../shared/ton/abi/coder.js";
import { Shape } from "../../shared/ton/abi/json-shape.js";
import { readTolkAbi } from "../../shared/ton/abi/tolk.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64, readHash } from "../../shared/values/bytes.js";
import type { Artifact, CatalogueEntry } from "./artifact.js";
import { PackedAbis } from "./packed.js";

const schemaVersion = 1;
/** Contracts of a catalogue, and hashes and addresses of one of them. */
const limits = { contracts: 20_000, hashes: 1000, links: 20, items: 4096 } as const;
const contractsPerTurn = 50;

/** Whether JSON is a catalogue, of any version of the schema. */
export function isCatalogue(json: unknown): boolean {
  return typeof json === "object" && json !== null && Object.hasOwn(json, "schemaVersion");
}

/** The contracts of a catalogue, whose ABIs are read when they are used. Throws an AbiError if it is malformed. */
export async function readCatalogue(file: string, json: unknown): Promise<Artifact[]> {
  const root = new Shape(json, "catalogue");
  if (root.member("schemaVersion").value !== schemaVersion)
    throw new AbiError(`the schemaVersion of a catalogue is ${schemaVersion}`);
  const abis = new PackedAbis();
  const artifacts: Artifact[] = [];
  for (const contract of root.member("contracts").list(limits.contracts)) {
    artifacts.push(entryOf(file, contract, abis));
    if (artifacts.length % contractsPerTurn === 0) await nextTurn();
  }
  return artifacts;
}

function entryOf(file: string, contract: Shape, abis: PackedAbis): Artifact {
  const id = contract.member("id").name();
  const abi = contract.member("compilerAbi");
  return {
    file: `${file}#${id}`,
    format: "catalogue",
    trust: "curated",
    contract: contract.member("displayName").name("optional") || id,
    codeHashes: contract.member("hashes").list(limits.hashes).map(hashOf),
    addresses: contract.member("knownAddresses").list(limits.hashes).map(addressOf),
    compiler: `${abi.member("compiler_name").name("optional")} ${abi.member("compiler_version").name("optional")}`,
    opcodes: opcodesOf(abi),
    ...abis.keep(abi.value, (json) => new AbiCoder(readTolkAbi(json))),
    sources: [],
    map: undefined,
    entry: { id, links: linksOf(contract), size: sizeOf(abi) },
  };
}

/** Addresses of pages; those of other schemes could do harm where they are opened. */
function linksOf(contract: Shape): CatalogueEntry["links"] {
  return contract
    .member("links")
    .list(limits.links)
    .map((link) => ({
      kind: link.member("kind").name("optional"),
      title: link.member("title").name("optional"),
      url: link.member("url").description(),
    }))
    .filter(({ url }) => /^https?:\/\//.test(url));
}

function sizeOf(abi: Shape): CatalogueEntry["size"] {
  const count = (list: string) => abi.member(list).list(limits.items).length;
  const lists = ["incoming_messages", "incoming_external", "outgoing_messages", "emitted_events"];
  return [count("get_methods"), lists.reduce((sum, list) => sum + count(list), 0)];
}

/** Opcodes of the declared structures, without reading the whole ABI. */
function opcodesOf(abi: Shape): number[] {
  const opcodes: number[] = [];
  for (const declaration of abi.member("declarations").list(limits.contracts)) {
    const prefix = declaration.member("prefix");
    if (prefix.isAbsent || prefix.member("prefix_len").value !== 32) continue;
    opcodes.push(prefix.member("prefix_num").integer(0, 0xffffffff));
  }
  return opcodes;
}

function hashOf(hash: Shape): string {
  const bytes = typeof hash.value === "string" ? readHash(hash.value) : undefined;
  return bytes ? bytesToBase64(bytes) : hash.refuse("expected a hash in hex or base64");
}

function addressOf(text: Shape): string {
  const read = typeof text.value === "string" ? Address.read(text.value) : undefined;
  return read ? read.address.toRawUpper() : text.refuse("expected an address");
}
