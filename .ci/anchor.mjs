// Proves the newest key block of a network from the one that the package starts from, and makes it that one, so that users of
// the next release prove less. It needs the network, minutes, and `npm run build` before.
//   node .ci/anchor.mjs mainnet|testnet [liteservers.json]
// The second argument is a global configuration whose liteservers are asked; by default they are those that are published. All
// else is proven from the block in server/chain/networks/<network>.data.json.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compiled } from "./compiled.mjs";

const top = dirname(import.meta.dirname);
const { parseGlobalConfig } = await compiled("server/chain/liteservers/global-config.js");
const { publishedAt } = await compiled("server/chain/networks/published.js");
const { newestServers } = await compiled("server/chain/networks/server-list.js");
const { shippedNetworks } = await compiled("server/chain/networks/shipped.js");
const { renewAnchor } = await compiled("server/process/network/newer-anchor.js");

const [network, list] = process.argv.slice(2);
if (!shippedNetworks.includes(network)) {
  console.error(`usage: node .ci/anchor.mjs ${shippedNetworks.join("|")} [liteservers.json]`);
  process.exit(2);
}
const path = join(top, "server/chain/networks", `${network}.data.json`);
const text = readFileSync(path, "utf8");
const shipped = parseGlobalConfig(text);
const tell = (facts, words) => console.error(words, JSON.stringify(facts));
const log = { info: tell, warn: tell };
const servers = list
  ? parseGlobalConfig(readFileSync(list, "utf8")).servers
  : (await newestServers({ network, shipped, url: publishedAt[network], log })).servers;
const options = { network, log, now: Date.now, withinMs: 3_600_000 };
const seqno = await renewAnchor(path, text, servers, options);
console.log(
  seqno === undefined
    ? "the anchor is the newest key block already"
    : `the anchor of ${network} is block ${seqno} now: compare its hashes with an explorer before you commit it`,
);
