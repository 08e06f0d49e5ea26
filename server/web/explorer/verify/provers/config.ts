import { readConfig } from "../../../../../shared/ton/proofs/read/config.js";
import { getConfigAll } from "../../../../../shared/ton/proofs/verify/config.js";
import { bytesToHex } from "../../../../../shared/values/bytes.js";
import type { Chain } from "../session.js";
import { masterchainStep } from "./blocks.js";
import { type Asking, bytesOf, type Proven } from "./proven.js";

/** The hash of every parameter of the configuration at a masterchain block. */
export async function proveConfig(
  seqno: number,
  { reads }: Chain,
  { call, exchanges }: Asking,
): Promise<Proven> {
  const block = await reads.blockAt(seqno, call);
  const params = [...(await readConfig(reads.liteOf({ getConfigAll }), block, call)).params.entries()];
  return {
    values: {
      count: String(params.length),
      ...Object.fromEntries(params.map(([number, cell]) => [`parameter ${number}`, bytesToHex(cell.hash())])),
    },
    steps: [
      {
        title: "Configuration",
        text: "It is a part of the state after the masterchain block, and the value has the hash that is named there.",
        bytes: bytesOf(exchanges, "getConfigAll"),
      },
      masterchainStep(block),
    ],
  };
}
