import { isIPv4 } from "node:net";
import type { BlockIdExt, ZeroStateIdExt } from "../../../shared/ton/tlb/block-id.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";

/** The public address of a liteserver, and the chain it serves. */
type Served = {
  host: string;
  port: number;
  publicKey: Uint8Array;
  zeroState: ZeroStateIdExt;
  /** A key block from which clients may start to verify. Default: the zero state, which some of them cannot read. */
  initBlock?: BlockIdExt | undefined;
};

/** The `config.global` file for clients of the server. */
export function globalConfigText({ host, port, publicKey, zeroState, initBlock }: Served): string {
  const zero = blockOf({ ...zeroState, seqno: 0 });
  const config = {
    "@type": "config.global",
    dht: {
      "@type": "dht.config.global",
      k: 6,
      a: 3,
      static_nodes: { "@type": "dht.nodes", nodes: [] },
    },
    liteservers: [
      { ...addressOf(host), port, id: { "@type": "pub.ed25519", key: bytesToBase64(publicKey) } },
    ],
    validator: {
      "@type": "validator.config.global",
      zero_state: zero,
      init_block: initBlock ? blockOf(initBlock) : zero,
      hardforks: [],
    },
  };
  return `${JSON.stringify(config, null, 1).replaceAll(`"${wholeShardMark}"`, "-9223372036854775808")}\n`;
}

function blockOf({ workchain, seqno, rootHash, fileHash }: Omit<BlockIdExt, "shard">) {
  return {
    workchain,
    shard: wholeShardMark,
    seqno,
    root_hash: bytesToBase64(rootHash),
    file_hash: bytesToBase64(fileHash),
  };
}

/** Placeholder for the shard, which exceeds the precision of JavaScript numbers; replaced in the text. */
const wholeShardMark = "the whole shard";

/** IPv4 as a signed number, first octet highest; host names and IPv6 in `hostname`. */
function addressOf(host: string): { ip: number } | { hostname: string } {
  const address = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  if (!isIPv4(address)) return { hostname: address };
  return { ip: address.split(".").reduce((ip, part) => (ip << 8) | Number(part), 0) };
}
