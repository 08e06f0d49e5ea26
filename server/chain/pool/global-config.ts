import { base64ToBytes, bytesToHex } from "../../../shared/values/bytes.js";
import { type BlockIdExt, wholeShard } from "../block-id.js";
import type { ServerAddress } from "./adnl/client.js";

/** What a global configuration file says of a network and its liteservers. */
export type GlobalConfig = {
  servers: ServerAddress[];
  /** What the network is. */
  zeroState: BlockIdExt;
  /** A block to begin trusting with. */
  initBlock: BlockIdExt | undefined;
  hardforks: BlockIdExt[];
};

/** The file cannot be used. */
export class GlobalConfigError extends Error {
  override readonly name = "GlobalConfigError";
}

/** Reads `config.global` JSON as the network publishes it. */
export function parseGlobalConfig(text: string): GlobalConfig {
  const config = record(parseJson(text), "the global configuration");
  const validator = record(config["validator"], "validator");
  const newer = list(config["liteservers_v2"]).filter(holdsEverything);
  const servers = [...list(config["liteservers"]), ...newer].map(serverAddress);
  if (servers.length === 0) throw new GlobalConfigError("the global configuration names no liteservers");
  const initBlock = validator["init_block"];
  return {
    servers: [...new Map(servers.map((server) => [bytesToHex(server.publicKey), server])).values()],
    zeroState: blockId(validator["zero_state"], "zero_state"),
    initBlock: initBlock === undefined ? undefined : blockId(initBlock, "init_block"),
    hardforks: list(validator["hardforks"]).map((fork) => blockId(fork, "hardforks")),
  };
}

/** Shards have more digits than JavaScript's numbers keep, so they are made texts before anything is read. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/("shard"\s*:\s*)(-?\d+)/g, '$1"$2"'));
  } catch (cause) {
    throw new GlobalConfigError(`the global configuration is not JSON: ${(cause as Error).message}`);
  }
}

/**
 * Newer entries may hold slices of the network only. Such a server would have to be asked for its shards and nothing
 * else; as long as no network publishes one, those that hold less than a whole workchain are left out.
 */
function holdsEverything(server: unknown): boolean {
  const slices = list(record(server, "a liteserver")["slices"]).map((slice) => record(slice, "a slice"));
  const shards = slices.flatMap(({ shards }) => list(shards)).map((shard) => record(shard, "a shard"));
  return slices.length === 0 || shards.some(({ workchain, shard }) => workchain === 0 && isWhole(shard));
}

/** The address is a signed number, the first part highest; newer files may have a name instead. */
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

/** Every id in the file is of the masterchain. */
function blockId(value: unknown, name: string): BlockIdExt {
  const { workchain, shard, seqno, root_hash, file_hash } = record(value, name);
  if (workchain !== -1 || !isWhole(shard))
    throw new GlobalConfigError(`${name} is no block of the masterchain`);
  if (!isInteger(seqno, 0, 2 ** 32 - 1)) throw new GlobalConfigError(`${name} has no seqno`);
  return {
    workchain,
    shard: wholeShard,
    seqno,
    rootHash: bytes(root_hash, `root_hash of ${name}`),
    fileHash: bytes(file_hash, `file_hash of ${name}`),
  };
}

function isWhole(shard: unknown): boolean {
  return (
    typeof shard === "string" && /^-?\d+$/.test(shard) && BigInt.asUintN(64, BigInt(shard)) === wholeShard
  );
}

function bytes(value: unknown, name: string): Uint8Array {
  const read = typeof value === "string" ? base64ToBytes(value) : undefined;
  if (read?.length !== 32) throw new GlobalConfigError(`${name} is not 32 bytes in base64`);
  return read;
}

function record(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new GlobalConfigError(`${name} is no object`);
  return value as Record<string, unknown>;
}

function list(value: unknown): readonly unknown[] {
  if (value !== undefined && !Array.isArray(value)) throw new GlobalConfigError("a list is none");
  return value ?? [];
}

function isInteger(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}
