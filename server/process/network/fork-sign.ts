import type { SetupView } from "../../devnet/control/setup.js";
import type { ForkStatus } from "../../devnet/fork/fork-status.js";
import type { ForkFacts } from "../../web/pages/shells/explorer-shell.js";

/** Ids of mainnet and testnet. */
const realIds = [-239, -3];

/** Facts of a fork for pages and the start's output. The object stays the same until the fork begins elsewhere. */
export function forkFactsOf(setup: SetupView | undefined): () => ForkFacts | undefined {
  let shown: ForkFacts | undefined;
  return () => {
    const fork = setup?.current.fork;
    if (!fork) return undefined;
    const { source, block, isProven } = fork;
    if (shown?.source !== source || shown.seqno !== block.seqno)
      shown = { source, seqno: block.seqno, isProven, warning: warningOf(fork) };
    return shown;
  };
}

/** Contracts sign over the network's id, which a fork keeps. A fork of a fork of mainnet has mainnet's. */
function warningOf({ source, globalId }: Pick<ForkStatus, "source" | "globalId">): string {
  return realIds.includes(globalId)
    ? "a message signed with a real key is valid on the real network too"
    : `a message signed here is valid on ${source} too, and on any network with the id ${globalId}`;
}
