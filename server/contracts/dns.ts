import type { Address } from "../../shared/values/address.js";
import { beginCell } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import { ifReadable } from "../tlb/readable.js";
import { type DnsRecord, nextResolverCategory, readDnsRecord, recordsOf } from "./dns-record.js";
import { type GetMethods, UnexpectedAnswer } from "./get-method.js";

export type DnsQuestion = {
  resolver: Address;
  /** Ends in a dot, at most 126 bytes; empty for the resolver itself. */
  name: string;
  /** Key of 32 bytes; all zero for the records of all categories. */
  category: Uint8Array;
  /** Maximum number of next resolvers to ask. */
  hops: number;
};

/** `record` is `undefined` if its cell holds no known record. */
export type DnsEntry = { name: string; category: Uint8Array; cell: Cell; record: DnsRecord | undefined };

/**
 * Resolves a name by `(int, cell) dnsresolve(slice subdomain, int category)` (TEP-81), in the steps of tonlib. Without
 * hops left, the answer is the record of the next resolver. Throws UnexpectedAnswer if a resolver breaks the standard.
 */
export async function resolveDomain(methods: GetMethods, question: DnsQuestion): Promise<DnsEntry[]> {
  let { resolver, name, hops } = question;
  for (; ; hops--) {
    const entries = await askResolver(methods, { ...question, resolver, name });
    const [first] = entries;
    if (!first?.partial || hops === 0 || first.record?.kind !== "nextResolver") return entries;
    if (!name.endsWith(first.name))
      throw new UnexpectedAnswer("a resolver answers for another name than it was asked");
    name = name.slice(0, name.length - first.name.length);
    resolver = first.record.address;
  }
}

type Found = DnsEntry & { partial?: true };

async function askResolver(methods: GetMethods, question: DnsQuestion): Promise<Found[]> {
  const { resolver, name, category } = question;
  const encoded = encodeName(name);
  const { exitCode, stack } = await methods.run(resolver, "dnsresolve", [
    { type: "slice", cell: beginCell().storeBytes(encoded).endCell() },
    { type: "int", value: BigInt(`0x${Buffer.from(category).toString("hex")}`) },
  ]);
  const [resolved, data] = stack.slice(-2);
  if ((exitCode !== 0 && exitCode !== 1) || !data) throw new UnexpectedAnswer("get method failed");
  if (data.type === "null") return [];
  if (data.type !== "cell" || resolved?.type !== "int") throw new UnexpectedAnswer("get method failed");
  const bits = Number(resolved.value);
  if (!(bits >= 0 && bits <= encoded.length * 8)) throw new UnexpectedAnswer("get method failed");
  if (bits % 8 !== 0) throw new UnexpectedAnswer("Prefix size is not divisible by 8");
  if (bits === 0) return [];
  const entry = (found: string, key: Uint8Array, cell: Cell): Found => ({
    name: found,
    category: key,
    cell,
    record: readDnsRecord(cell),
  });
  if (bits < encoded.length * 8) {
    const prefix = decodeName(encoded.subarray(0, bits / 8));
    return [{ ...entry(prefix, nextResolverCategory, data.cell), partial: true }];
  }
  if (category.some((byte) => byte !== 0)) return [entry(name, category, data.cell)];
  return allRecords(data.cell).map(([key, cell]) => entry(name, key, cell));
}

function allRecords(root: Cell): ReturnType<typeof recordsOf> {
  const records = ifReadable(() => recordsOf(root));
  if (!records) throw new UnexpectedAnswer("get method failed");
  return records;
}

/** Encodes a name for resolvers: labels from last to first, each terminated by a zero byte. */
function encodeName(name: string): Uint8Array {
  if (name === "" || name === ".") return new Uint8Array(1);
  const labels = name.split(".").reverse();
  return new TextEncoder().encode(labels.map((label) => `${label}\0`).join(""));
}

function decodeName(encoded: Uint8Array): string {
  const labels = new TextDecoder().decode(encoded).split("\0");
  return labels.reverse().join(".");
}
