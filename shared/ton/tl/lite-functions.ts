// Maps LiteApi to TL. Names and fields are the same, except that LiteApi has named options where TL has bits of
// `mode`, and that a server echoes the mode and sends some proofs unasked.
import { foundIn, valueAt } from "../../values/lookups.js";
import { LiteError, liteErrorCode } from "../lite/lite-api.js";
import type { LiteMethod } from "../lite/lite-methods.js";
import { wholeShard } from "../tlb/block-id.js";
import type { Named, TlObject, TlValue } from "./codec.js";
import { wire } from "./codecs.js";
import type { Declaration } from "./declaration.js";
import { TlError } from "./tl-error.js";

type Mapping = {
  /** Name in TL; by default `liteServer.` and the method's name. */
  name?: string;
  /** Options and their bits in `mode`; bits of optional fields follow from the schema. */
  options?: Readonly<Record<string, number>>;
  /** Answer fields that servers always send; emptied for callers that requested no proofs. */
  proofs?: readonly string[];
  /** Error for a mode with unknown bits. Default: unknown bits are ignored. */
  refuses?: string;
  /** Completes a request. */
  request?(request: TlObject): TlObject;
  /** Completes an answer. */
  answer?(answer: TlObject, mode: number): TlObject;
  /** Objects inside an answer whose fields depend on the mode. */
  inside?(answer: TlObject): readonly TlObject[];
};

const headerParts = { stateUpdate: 0, valueFlow: 1, extra: 4, shardHashes: 5, prevBlockSignatures: 6 };
/** In a lookup the header bits follow the lookup's own four. */
const lookup = {
  bySeqno: 0,
  ...Object.fromEntries(Object.entries(headerParts).map(([part, bit]) => [part, bit + 4])),
};
const listing = { proof: 5, reverseOrder: 6, metadata: 8 };
const configParts = {
  stateRoot: 0,
  libraries: 1,
  stateExtra: 2,
  shardHashes: 3,
  validatorSet: 4,
  specialContracts: 5,
  accountsRoot: 6,
  prevBlocks: 7,
  workchains: 8,
  capabilities: 9,
  fromPrevKeyBlock: 15,
};

/** Account, lt and hash. Servers may omit requested metadata. */
const transactionIdBits = 0b111;
const metadataBit = 1 << 8;

const mappings: Record<LiteMethod, Mapping> = {
  getMasterchainInfo: {},
  getMasterchainInfoExt: { options: { shardsApplied: 0 }, refuses: "unsupported getMasterchainInfo mode" },
  getTime: {},
  getVersion: {},
  getBlock: {},
  getState: {},
  getBlockHeader: { options: headerParts },
  lookupBlock: { options: lookup, answer: (answer, mode) => ({ ...answer, mode: mode >>> 4 }) },
  lookupBlockWithProof: { options: lookup },
  getAllShardsInfo: { proofs: ["proof"] },
  getShardInfo: { proofs: ["shardProof"] },
  getShardBlockProof: {},
  getAccountState: { proofs: ["shardProof", "proof"] },
  getAccountStatePrunned: { proofs: ["shardProof", "proof"] },
  runSmcMethod: {
    options: { proof: 0, stateProof: 1, result: 2, initC7: 3, libExtras: 4, fullC7: 5 },
    refuses: "unsupported mode in runSmcMethod",
  },
  sendMessage: {},
  getTransactions: {},
  getOneTransaction: { proofs: ["proof"] },
  listBlockTransactions: {
    options: { account: 0, lt: 1, hash: 2, ...listing },
    answer: withTransactionModes,
    inside: ({ ids }) => ids as TlObject[],
  },
  listBlockTransactionsExt: { options: listing },
  getConfigAll: { options: configParts, proofs: ["stateProof"] },
  getConfigParams: { options: configParts, proofs: ["stateProof"] },
  getLibraries: {},
  getLibrariesWithProof: { options: { publishers: 0, noData: 1 } },
  getBlockProof: { options: { toNewest: 1, baseOnGiven: 12 } },
  getOutMsgQueueSizes: { request: withShard },
  getBlockOutMsgQueueSize: { options: { proof: 0 } },
  getValidatorStats: { proofs: ["stateProof"] },
  getDispatchQueueInfo: { options: { proof: 0 } },
  getDispatchQueueMessages: {
    options: { proof: 0, oneAccount: 1, messagesBoc: 2 },
    answer: withMetadataModes,
  },
  getPendingShardBlocks: { name: "liteServer.nonfinal.getPendingShardBlocks", request: withShard },
};

/** All methods of LiteApi. */
export const liteMethods = Object.keys(mappings) as LiteMethod[];

/** The declarations of a method's function and of its answer, and the options that are bits of its `mode`. */
export function functionOf(method: LiteMethod): Pick<LiteFunction, "declaration" | "answer" | "bits"> {
  return valueAt(functions, method);
}

/** A call of LiteApi with the `mode` that its options and fields make up. */
export type LiteQuery = { method: LiteMethod; request: object; mode: number };

/** The client's side: computes the `mode` of a call. */
export function queryOf(method: LiteMethod, request: object): LiteQuery {
  const { bits, fields, prepare } = valueAt(functions, method);
  const prepared = prepare(request as TlObject);
  const set = [
    ...bits.filter(([option]) => prepared[option] === true),
    ...fields.filter(([field]) => prepared[field] !== undefined),
  ];
  return { method, request: prepared, mode: maskOf(set) };
}

/** Throws a TlError if a value cannot be encoded. */
export function encodeQuery({ method, request, mode }: LiteQuery): Uint8Array {
  return wire.encode(valueAt(functions, method).name, { ...request, mode });
}

/** Server side: the call encoded by a decoded function. Throws a LiteError for other functions. */
export function queryFrom({ name, value: { mode = 0, ...fields } }: Named): LiteQuery {
  const found = byName.get(name);
  if (!found) throw new LiteError(liteErrorCode.protocolViolation, "unknown query");
  const { method, bits, known, refuses, proofs } = found;
  const set = mode as number;
  if (refuses !== undefined && (set & ~known) !== 0) throw new LiteError(liteErrorCode.failure, refuses);
  const options = bits.filter(([, bit]) => set & (1 << bit)).map(([option]) => [option, true]);
  if (proofs.length > 0) options.push(["proof", true]);
  return { method, request: { ...fields, ...Object.fromEntries(options) }, mode: set };
}

/** Encodes an answer, with the mode of its query. */
export function encodeAnswer({ method, mode }: LiteQuery, answer: unknown): Uint8Array {
  const { answerName, complete } = valueAt(functions, method);
  return wire.encode(answerName, complete({ ...(answer as TlObject), mode }, mode));
}

export function encodeError({ code, message }: LiteError): Uint8Array {
  return wire.encode("liteServer.error", { code, message });
}

/** Decodes an answer. Throws the LiteError the server sent, or a TlError if the answer does not match the query. */
export function decodeAnswer({ method, request, mode }: LiteQuery, bytes: Uint8Array): unknown {
  const { answerName, answerBits, inside, proofs } = valueAt(functions, method);
  const { name, value } = wire.decode(bytes);
  if (name === "liteServer.error") throw new LiteError(value["code"] as number, value["message"] as string);
  if (name !== answerName) throw new TlError(`${name} does not answer ${method}`);
  const fits = (object: TlObject) => (((object["mode"] as number) ^ mode) & answerBits) === 0;
  if (!inside(value).every(fits)) throw new TlError(`an answer to ${method} has other fields than asked for`);
  const answer = withoutModes(value) as Record<string, TlValue>;
  if (!(request as { proof?: boolean }).proof) for (const field of proofs) answer[field] = new Uint8Array(0);
  return answer;
}

type LiteFunction = {
  method: LiteMethod;
  declaration: Declaration;
  answer: Declaration;
  name: string;
  answerName: string;
  /** Options and their bits. */
  bits: [string, number][];
  /** Optional fields and their bits. */
  fields: [string, number][];
  /** All bits with a meaning. */
  known: number;
  /** Bits of optional fields of the answer. */
  answerBits: number;
  proofs: readonly string[];
  refuses: string | undefined;
  inside(answer: TlObject): readonly TlObject[];
  prepare(request: TlObject): TlObject;
  complete(answer: TlObject, mode: number): TlObject;
};

const functions = new Map(liteMethods.map((method) => [method, liteFunction(method, mappings[method])]));
const byName = new Map(Array.from(functions.values(), (each) => [each.name, each]));

function liteFunction(method: LiteMethod, mapping: Mapping): LiteFunction {
  const { name = `liteServer.${method}`, options = {}, proofs = [], refuses } = mapping;
  const declared = foundIn(wire.declarations, (each) => each.name === name);
  const answer = foundIn(wire.declarations, (each) => each.result === declared.result && !each.isFunction);
  const bits = Object.entries(options);
  const fields = switchedFields(declared);
  return {
    method,
    declaration: declared,
    answer,
    name,
    answerName: answer.name,
    bits,
    fields,
    known: maskOf([...bits, ...fields]),
    answerBits: mapping.inside ? transactionIdBits : maskOf(switchedFields(answer)),
    proofs,
    refuses,
    inside: mapping.inside ?? ((whole) => (whole["mode"] === undefined ? [] : [whole])),
    prepare: mapping.request ?? ((request) => request),
    complete: mapping.answer ?? ((given) => given),
  };
}

function switchedFields({ fields }: Declaration): [string, number][] {
  return fields
    .filter(({ flag, type }) => flag !== undefined && type.kind !== "true")
    .flatMap(({ name, flag }) => (flag ? [[name, flag.bit]] : []));
}

function maskOf(bits: readonly (readonly [string, number])[]): number {
  return bits.reduce((mask, [, bit]) => mask | (1 << bit), 0);
}

/** Workchain and shard share one bit; without a shard the whole workchain is meant. */
function withShard(request: TlObject): TlObject {
  const { wc, shard = wholeShard } = request;
  return wc === undefined ? {} : { wc, shard };
}

/** Each id echoes the mode, with the metadata bit only if it has metadata. */
function withTransactionModes(answer: TlObject, mode: number): TlObject {
  const ids = (answer["ids"] as TlObject[]).map((id) => ({
    ...withMetadataMode(id),
    mode: id["metadata"] ? mode | metadataBit : mode & ~metadataBit,
  }));
  return { ...answer, ids };
}

function withMetadataModes(answer: TlObject): TlObject {
  return { ...answer, messages: (answer["messages"] as TlObject[]).map(withMetadataMode) };
}

function withMetadataMode(object: TlObject): TlObject {
  const { metadata } = object;
  return metadata === undefined ? object : { ...object, metadata: { ...(metadata as TlObject), mode: 0 } };
}

/** Removes the modes: the presence of fields shows the same. */
function withoutModes(value: TlValue): TlValue {
  if (value instanceof Uint8Array || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(withoutModes);
  const fields = Object.entries(value as TlObject).filter(([name]) => name !== "mode");
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutModes(field!)]));
}
