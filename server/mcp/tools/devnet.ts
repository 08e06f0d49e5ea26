import { methodTool } from "../method-tool.js";
import type { Tool } from "../tool.js";

/** Lines of a log that an answer has: its end says why a contract stopped. */
const shownLines = 60;

/** Controls of a devnet, whose coins are worth nothing. Other networks do not have their methods. */
export const devnetTools: readonly Tool[] = [
  methodTool("devnet.info", { guide: "Use it for the names and addresses of the sample data." }),
  methodTool("devnet.faucet"),
  methodTool("devnet.faucetJetton"),
  methodTool("devnet.impersonate", {
    guide: "Use it to try what a contract does with a message; explain_transaction shows what came of it.",
  }),
  methodTool("devnet.mine"),
  methodTool("devnet.advanceTime", { guide: "Then call devnet_mine for a block with the new time." }),
  methodTool("devnet.snapshot", {
    guide: "Take one before you try something, and go back by devnet_revert.",
  }),
  methodTool("devnet.revert", { discards: true }),
  methodTool("devnet.transactionLog", {
    guide: `Use it if the exit code of a failed transaction is not enough. The answer has the last ${shownLines} lines, which show the instruction that failed.`,
    facts: ({ vm_log: log, ...others }) => {
      const lines = String(log).trimEnd().split("\n");
      return { ...others, lines: lines.length, last_lines: lines.slice(-shownLines) };
    },
  }),
];
