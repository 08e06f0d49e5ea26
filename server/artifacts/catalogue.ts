import { AbiError } from "../../shared/ton/abi/abi-error.js";
import { AbiCoder } from "../../shared/ton/abi/coder.js";
import { Shape } from "../../shared/ton/abi/json-shape.js";
import { readTolkAbi } from "../../shared/ton/abi/tolk.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64, readHash } from "../../shared/values/bytes.js";
import type { Artifact, CatalogueEntry } from "./artifact.js";
import { PackedAbis, PackedJson } from "./packed.js";

const schemaVersion = 1;
/** Contracts of a catalogue, and hashes and addresses of one of them. */
const limits = { contracts: 20_000, hashes: 1000, links: 20, items: 4096 } as const;

/** Whether JSON is a catalogue, of any version of the schema. */
export function isCatalogue(json: unknown): boolean {
  return typeof json === "object" && json !== null && Object.hasOwn(json, "schemaVersion");
}

/** A contract of a catalogue in a form that threads can send. */
export type ListedContract = Omit<Artifact, "coder" | "abiJson"> & {
  readonly abiJson: Pick<PackedJson, "packed" | "length">;
};

/** The contracts of a catalogue. Throws an AbiError if it is malformed. */
export function readCatalogue(file: string, json: unknown): Artifact[] {
  return artifactsOf(listedIn(file, json));
}

/** As `readCatalogue`, of the text. Contracts are parsed one by one: all at once they would take ten times the memory. */
export function listedInText(file: string, text: Buffer): ListedContract[] {
  const objects = [...objectsIn(text)];
  const outside = objects.map(([from], i) => text.toString("utf8", objects[i - 1]?.[1] ?? 0, from) + i);
  const root = JSON.parse(outside.join("") + text.toString("utf8", objects.at(-1)?.[1] ?? 0));
  return listedIn(file, root, ({ value }) => {
    const [from, to] = objects[value as number] ?? [0, 0];
    return new Shape(to > 0 ? JSON.parse(text.toString("utf8", from, to)) : value, `contracts[${value}]`);
  });
}

function listedIn(file: string, json: unknown, open = (contract: Shape) => contract): ListedContract[] {
  const root = new Shape(json, "catalogue");
  if (root.member("schemaVersion").value !== schemaVersion)
    throw new AbiError(`the schemaVersion of a catalogue is ${schemaVersion}`);
  return root
    .member("contracts")
    .list(limits.contracts)
    .map((contract) => entryOf(file, open(contract)));
}

const [quote, backslash, opening, closing] = Buffer.from('"\\{}') as unknown as [
  number,
  number,
  number,
  number,
];

/** Where the objects begin and end that are directly inside of a text's outermost one, or in its lists. */
function* objectsIn(text: Buffer): Generator<readonly [from: number, to: number]> {
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) at = endOfString(text, at);
    else if (byte === opening && ++depth === 2) from = at;
    else if (byte === closing && depth-- === 2) yield [from, at + 1];
  }
}

function endOfString(text: Buffer, start: number): number {
  for (let end = text.indexOf(quote, start + 1); end >= 0; end = text.indexOf(quote, end + 1)) {
    let before = end;
    while (text[before - 1] === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** Their ABIs are read when they are used. */
export function artifactsOf(listed: readonly ListedContract[]): Artifact[] {
  const abis = new PackedAbis();
  return listed.map((each) => ({
    ...each,
    ...abis.keep(new PackedJson(each.abiJson), (json) => new AbiCoder(readTolkAbi(json))),
  }));
}

function entryOf(file: string, contract: Shape): ListedContract {
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
    abiJson: PackedJson.of(abi.value),
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
