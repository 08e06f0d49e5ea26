import type { SetupView } from "../devnet/control/setup.js";
import type { ForkFacts } from "../web/pages/explorer-shell.js";

/** Facts of a fork for pages and the start's output. The object stays the same until the fork begins elsewhere. */
export function forkFactsOf(setup: SetupView | undefined): () => ForkFacts | undefined {
  let shown: ForkFacts | undefined;
  return () => {
    const fork = setup?.current.fork;
    if (!fork) return undefined;
    const { source, block, isProven } = fork;
    if (shown?.source !== source || shown.seqno !== block.seqno)
      shown = { source, seqno: block.seqno, isProven };
    return shown;
  };
}
