import { isIPv4 } from "node:net";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { ZeroStateIdExt } from "../../tlb/block-id.js";

/** Where a server is for others, and the chain it serves. */
export type Served = {
  host: string;
  port: number;
  publicKey: Uint8Array;
  zeroState: ZeroStateIdExt;
};

/** The file that other programs are given to find the server, `config.global`; trust begins with the zero state. */
export function globalConfigText({ host, port, publicKey, zeroState }: Served): string {
  const zero = {
    workchain: zeroState.workchain,
    shard: wholeShardMark,
    seqno: 0,
    root_hash: bytesToBase64(zeroState.rootHash),
    file_hash: bytesToBase64(zeroState.fileHash),
  };
  const config = {
    "@type": "config.global",
    dht: {
      "@type": "dht.config.global",
      k: 6,
      a: 3,
      static_nodes: { "@type": "dht.nodes", nodes: [] },
    },
    liteservers: [{ ...place(host), port, id: { "@type": "pub.ed25519", key: bytesToBase64(publicKey) } }],
    validator: { "@type": "validator.config.global", zero_state: zero, init_block: zero, hardforks: [] },
  };
  return `${JSON.stringify(config, null, 1).replaceAll(`"${wholeShardMark}"`, "-9223372036854775808")}\n`;
}

/** Becomes a number in the text: none of JavaScript's has that many digits. */
const wholeShardMark = "the whole shard";

/** The address as a signed number, the first part highest; names and longer addresses have a field of their own. */
function place(host: string): { ip: number } | { hostname: string } {
  const address = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  if (!isIPv4(address)) return { hostname: address };
  return { ip: address.split(".").reduce((ip, part) => (ip << 8) | Number(part), 0) };
}
