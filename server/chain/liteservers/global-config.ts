import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { base64ToBytes, bytesToHex } from "../../../shared/values/bytes.js";
import type { ServerAddress } from "../adnl/client.js";
import { type NetworkSlice, type SliceBound, sliceOfShards } from "./network-slices.js";

/** A liteserver as the file lists it. */
export type ListedServer = ServerAddress & {
  /** Parts of the network it holds; absent: all of it. */
  slices?: readonly NetworkSlice[];
};

/** A global configuration file: a network and its liteservers. */
export type GlobalConfig = {
  servers: ListedServer[];
  /** Identifies the network. */
  zeroState: BlockIdExt;
  /** A trusted block that proofs may start from. */
  initBlock: BlockIdExt | undefined;
  hardforks: BlockIdExt[];
};

/** The file is invalid; the message has the location. */
export class GlobalConfigError extends Error {
  override readonly name = "GlobalConfigError";
}

/** Parses `config.global` JSON as published. Throws a GlobalConfigError. Servers with the same key are listed once. */
export function parseGlobalConfig(text: string): GlobalConfig {
  const config = record(parseJson(text), "the global configuration");
  const validator = record(config["validator"], "validator");
  const older = list(config["liteservers"]).map(serverAddress);
  const servers = [...older, ...list(config["liteservers_v2"]).map(slicedServer)];
  if (servers.length === 0) throw new GlobalConfigError("the global configuration lists no liteservers");
  const initBlock = validator["init_block"] ?? undefined;
  return {
    servers: [...new Map(servers.map((server) => [bytesToHex(server.publicKey), server])).values()],
    zeroState: blockId(validator["zero_state"], "zero_state"),
    initBlock: initBlock === undefined ? undefined : blockId(initBlock, "init_block"),
    hardforks: list(validator["hardforks"]).map((fork) => blockId(fork, "hardforks")),
  };
}

/** The newest block that a configuration vouches for. */
export function trustedStart({ zeroState, initBlock, hardforks }: GlobalConfig): BlockIdExt {
  const blocks = [zeroState, ...hardforks, ...(initBlock ? [initBlock] : [])];
  return blocks.reduce((best, block) => (block.seqno > best.seqno ? block : best));
}

/** Shards and logical times exceed the precision of JavaScript numbers, so they are quoted before parsing. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "").replace(/("(?:shard|lt)"\s*:\s*)(-?\d+)/g, '$1"$2"'));
  } catch (cause) {
    throw new GlobalConfigError(`the global configuration is not JSON: ${(cause as Error).message}`);
  }
}

/** An entry of `liteservers_v2`, which may list slices. */
function slicedServer(value: unknown): ListedServer {
  const slices = list(record(value, "a liteserver")["slices"]).map(sliceOf);
  return { ...serverAddress(value), ...(slices.length > 0 && { slices }) };
}

/** `liteserver.descV2.sliceSimple` has shards, `sliceTimed` has bounds. */
function sliceOf(value: unknown): NetworkSlice {
  const { shards, shards_from, shards_to } = record(value, "a slice");
  if (shards !== undefined) return sliceOfShards(list(shards).map(shardOf));
  const [from, to] = [list(shards_from).map(boundOf), list(shards_to).map(boundOf)];
  for (const bounds of [from, to])
    if (bounds.length > 0 && !bounds.some(({ workchain }) => workchain === masterchain))
      throw new GlobalConfigError("a slice has no bound for the masterchain");
  if (from.length === 0) throw new GlobalConfigError("a slice has no lower bounds");
  return { from, to };
}

function boundOf(value: unknown): SliceBound {
  const { shard_id, seqno, utime, lt } = record(value, "a bound of a slice");
  for (const number of [seqno, utime])
    if (!isInteger(number, 0, 2 ** 32 - 1)) throw new GlobalConfigError("a slice has no seqno or utime");
  return { ...shardOf(shard_id), seqno: seqno as number, utime: utime as number, lt: longOf(lt) };
}

function shardOf(value: unknown): { workchain: number; shard: bigint } {
  const { workchain, shard } = record(value, "a shard");
  if (!isInteger(workchain, -(2 ** 31), 2 ** 31 - 1)) throw new GlobalConfigError("a shard has no workchain");
  const number = longOf(shard);
  if (number === 0n) throw new GlobalConfigError("a shard has no number");
  return { workchain, shard: number };
}

/** Signed 64-bit in the file, unsigned here. */
function longOf(value: unknown): bigint {
  if (typeof value !== "string" || !/^-?\d{1,20}$/.test(value))
    throw new GlobalConfigError("a slice has no shard or lt");
  return BigInt.asUintN(64, BigInt(value));
}

/** `ip` is a signed 32-bit number, first octet highest; newer files may have `hostname` instead. */
function serverAddress(value: unknown): ServerAddress {
  const { ip, hostname, port, id } = record(value, "a liteserver");
  const publicKey = bytes(record(id, "a liteserver's id")["key"], "a liteserver's key");
  if (!isInteger(port, 1, 65_535)) throw new GlobalConfigError(`a liteserver has no port: ${port}`);
  if (typeof hostname === "string" && hostname !== "") return { host: hostname, port, publicKey };
  if (!isInteger(ip, -(2 ** 31), 2 ** 32 - 1))
    throw new GlobalConfigError(`a liteserver has no address: ${ip}`);
  const host = [24, 16, 8, 0].map((shift) => (ip >>> shift) & 0xff).join(".");
  return { host, port, publicKey };
}

/** All block ids in the file belong to the masterchain. */
function blockId(value: unknown, name: string): BlockIdExt {
  const { workchain, shard, seqno, root_hash, file_hash } = record(value, name);
  if (workchain !== -1 || !isWhole(shard)) throw new GlobalConfigError(`${name} is not a masterchain block`);
  if (!isInteger(seqno, 0, 2 ** 32 - 1)) throw new GlobalConfigError(`${name} has no seqno`);
  return {
    workchain,
    shard: wholeShard,
    seqno,
    rootHash: bytes(root_hash, `root_hash of ${name}`),
    fileHash: bytes(file_hash, `file_hash of ${name}`),
  };
}

/** Programs with JavaScript's precision write -9223372036854776000 for the whole shard, 2^63. */
function isWhole(shard: unknown): boolean {
  return typeof shard === "string" && /^-?\d+$/.test(shard) && Math.abs(Number(shard)) === 2 ** 63;
}

function bytes(value: unknown, name: string): Uint8Array {
  const read = typeof value === "string" ? base64ToBytes(value) : undefined;
  if (read?.length !== 32) throw new GlobalConfigError(`${name} is not 32 bytes in base64`);
  return read;
}

function record(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new GlobalConfigError(`${name} is not an object`);
  return value as Record<string, unknown>;
}

function list(value: unknown): readonly unknown[] {
  if (value !== undefined && value !== null && !Array.isArray(value))
    throw new GlobalConfigError("a list is not an array");
  return value ?? [];
}

function isInteger(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}
