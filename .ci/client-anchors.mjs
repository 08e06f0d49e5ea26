// Writes the blocks that verified clients start from to client/verified/anchors.ts: those of the global configurations that
// come with the service. A test compares them. Part of `npm run derive`; .ci/anchor.mjs renews the blocks.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiled } from "./compiled.mjs";
import { top } from "./readmes.mjs";

const { trustedStart } = await compiled("server/chain/liteservers/global-config.js");
const { shippedConfig, shippedNetworks } = await compiled("server/chain/networks/shipped.js");
const { presentBlockId } = await compiled("shared/ton/present/records.js");

const written = (id) => {
  const { "@type": _, ...block } = presentBlockId(id);
  return block;
};
const anchors = Object.fromEntries(
  shippedNetworks.map((network) => {
    const config = shippedConfig(network);
    return [network, { zero: written(config.zeroState), start: written(trustedStart(config)) }];
  }),
);
const entries = JSON.stringify(anchors, undefined, 2)
  .replace(/"(\w+)":/g, "$1:")
  .replace(/([}"\d])\n/g, "$1,\n");
writeFileSync(
  join(top, "client/verified/anchors.ts"),
  `// Written by .ci/client-anchors.mjs.
import type { TrustedBlock } from "./options.js";

/** The zero state of each network, and the newest key block that the package vouches for. */
export const anchors: Readonly<Record<"mainnet" | "testnet", { zero: TrustedBlock; start: TrustedBlock }>> =
  ${entries.replace(/,\s*$/, "")};
`,
);
