import { z } from "zod";

const found = z
  .object({
    partial: z
      .boolean()
      .describe(
        "Whether the answer may lack tokens that the forked network has: only wallets of named owners and jettons, and what is at named addresses, are known to be all.",
      ),
    by: z
      .array(z.enum(["request", "setting", "transactions", "v3"]))
      .describe(
        "How tokens of the network were found: the request names their addresses or jettons, `--fork-jettons` names their jettons, notices and requests of wallets in the owner's newest 640 transactions, the list of the network's own API v3.",
      ),
    problem: z.string().optional().describe("Why the search is not complete; a later call may find more."),
  })
  .meta({ id: "FoundTokens", description: "How a fork has found tokens of its network for an answer." });

/** Member of a list of tokens. */
export const foundTokens = {
  found: found.optional().describe("Only on a fork: how tokens of its network were found."),
};

export type FoundTokens = z.output<typeof found>;
