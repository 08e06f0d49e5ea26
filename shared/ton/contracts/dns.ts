import type { Address } from "../../values/address.js";
import { bytesToHex } from "../../values/bytes.js";
import { hasSucceeded } from "../../values/exit-codes/kinds.js";
import { beginCell } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import { walk } from "../cells/dictionaries/dictionary-walk.js";
import type { Slice } from "../cells/slice.js";
import { ifReadable } from "../tlb/readable.js";
import type { StackValue } from "../tvm/stack.js";
import { type DnsRecord, nextResolverCategory, readDnsRecord, recordsAmong } from "./dns-record.js";
import { type GetMethods, UnexpectedAnswer } from "./get-method.js";

type DnsQuestion = {
  resolver: Address;
  /** Ends in a dot; empty for the resolver itself. */
  name: string;
  /** Key of 32 bytes; all zero for the records of all categories. */
  category: Uint8Array;
  /** Maximum number of next resolvers to query. */
  hops: number;
};

/** `record` is `undefined` if its cell holds no known record. */
export type DnsEntry = { name: string; category: Uint8Array; cell: Cell; record: DnsRecord | undefined };

/**
 * Resolves a name by `(int, cell) dnsresolve(slice subdomain, int category)` (TEP-81), in the steps of tonlib. Without
 * hops left, the answer is the record of the next resolver. Throws UnexpectedAnswer, with tonlib's text, if a resolver
 * breaks the standard.
 */
export async function resolveDomain(methods: GetMethods, question: DnsQuestion): Promise<DnsEntry[]> {
  let { resolver, name, hops } = question;
  for (; ; hops--) {
    const entries = await askResolver(methods, { ...question, resolver, name });
    const [first] = entries;
    if (!first?.partial || hops === 0 || !first.record) return entries;
    name = unresolvedPart(name, first.name);
    if (first.record.kind !== "nextResolver")
      throw new UnexpectedAnswer("INTERNAL: dns entry is not 'next resolver'");
    resolver = first.record.address;
  }
}

/** tonlib's refusal of a name with its final dot; `undefined` if the name can be resolved. */
export function nameRefusal(name: string): string | undefined {
  const { length } = new TextEncoder().encode(name);
  if (length > 128) return "Name is too long";
  // One byte more in the cell that the resolver gets, which has at most 127.
  return length + 1 > 127 ? "DNS encoded name is too long" : undefined;
}

/** The labels of a name that a resolver has not resolved. */
function unresolvedPart(name: string, resolved: string): string {
  if (!name.endsWith(resolved)) throw new UnexpectedAnswer("INTERNAL: domain is not a suffix of the query");
  const rest = name.slice(0, name.length - resolved.length);
  if (rest !== "" && !rest.endsWith(".") && !resolved.startsWith("."))
    throw new UnexpectedAnswer("next resolver error: domain split not at a component boundary ");
  return rest;
}

type Found = DnsEntry & { partial?: true };

async function askResolver(methods: GetMethods, question: DnsQuestion): Promise<Found[]> {
  const { resolver, name, category } = question;
  const encoded = encodeName(name);
  const { exitCode, stack } = await methods.run(resolver, "dnsresolve", [
    { type: "slice", cell: beginCell().storeBytes(encoded).endCell() },
    { type: "int", value: BigInt(`0x${bytesToHex(category)}`) },
  ]);
  if (!hasSucceeded(exitCode)) throw new UnexpectedAnswer("get method failed");
  const data = maybeCell(stack.at(-1));
  const bytes = data && resolvedBytes(stack.at(-2), encoded.length);
  if (!bytes) return [];
  const entry = (found: string, key: Uint8Array, cell: Cell): Found => ({
    name: found,
    category: key,
    cell,
    record: readDnsRecord(cell),
  });
  if (bytes < encoded.length) {
    const prefix = decodeName(encoded.subarray(0, bytes));
    return [{ ...entry(prefix, nextResolverCategory, data), partial: true }];
  }
  if (category.some((byte) => byte !== 0)) return [entry(name, category, data)];
  return allRecords(data).map(([key, cell]) => entry(name, key, cell));
}

/** The records, the last value of a resolver's answer. */
function maybeCell(value: StackValue | undefined): Cell | undefined {
  if (!value) throw vmException("stack underflow");
  if (value.type === "null") return undefined;
  if (value.type !== "cell") throw vmException("not a cell");
  return value.cell;
}

/** Number of resolved bytes of a name, from the value before the records, which counts bits. */
function resolvedBytes(value: StackValue | undefined, atMost: number): number {
  if (!value) throw vmException("stack underflow");
  if (value.type !== "int" && value.type !== "nan") throw vmException("not an integer");
  const bits = value.type === "int" ? Number(value.value) : Number.NaN;
  if (!(bits >= 0 && bits <= atMost * 8)) throw vmException("integer out of range");
  if (bits % 8 !== 0) throw new UnexpectedAnswer("Prefix size is not divisible by 8");
  return bits / 8;
}

/** The error by which tonlib's own reading of an answer ends. */
function vmException(text: string): UnexpectedAnswer {
  return new UnexpectedAnswer(`Got a vm exception: ${text}`);
}

/**
 * The records of all categories. As in tonlib, skips values that are no record, and rejects forks with data besides
 * their branches.
 */
function allRecords(root: Cell): [category: Uint8Array, record: Cell][] {
  const checkFork = ({ remainingBits, remainingRefs }: Slice) => {
    if (remainingBits !== 0 || remainingRefs !== 2) throw vmException("invalid dictionary fork node");
  };
  const leaves = walk(root, { keyBits: 256, signed: false, reverse: false, from: undefined, checkFork });
  const records = ifReadable(() => recordsAmong(leaves));
  if (!records) throw vmException("error while parsing a dictionary node label");
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
