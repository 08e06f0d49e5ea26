import { z } from "zod";
import { isoTime, withoutNulls } from "../answers/actions.js";
import { methodTool } from "../method-tool.js";
import { part } from "../session.js";
import type { Tool } from "../tool.js";

type Members = Readonly<Record<string, unknown>>;

const network: Tool = {
  name: "network",
  title: "Network",
  description:
    "The network that this server reads: the newest masterchain block, and the blocks and times that the index has. Use it to tell a devnet from mainnet, and what `now` is.",
  methods: ["getMasterchainInfo"],
  input: z.object({}),
  isList: false,
  changes: false,
  async run(_, session) {
    const [{ last }, index, isDevnet] = await Promise.all([
      session.call("getMasterchainInfo", {}) as Promise<Members>,
      part(session, "v3.masterchainInfo", {}),
      session.has("devnet.info"),
    ]);
    const edge = (name: string) => {
      const block = index[name] as Members | undefined;
      return block && { seqno: block["seqno"], time: isoTime(Number(block["gen_utime"])) };
    };
    return {
      facts: {
        is_devnet: isDevnet,
        newest_block: last,
        index: index["failure"] !== undefined ? null : { first: edge("first"), last: edge("last") },
      },
    };
  },
};

export const contractTools: readonly Tool[] = [
  network,
  methodTool("v3.runGetMethod", {
    guide:
      "Reads a contract without sending anything, such as `seqno` of a wallet or `get_jetton_data` of a jetton master. An exit code other than 0 or 1 is a failure. " +
      "account lists the get-methods of a contract whose ABI is known: then pass `args` and read the typed result in `abi`.",
    facts: (result) => withoutNulls(result) as Members,
  }),
  methodTool("v3.decode", {
    guide: "Use it to read the body of a message, or to learn the name of an opcode.",
  }),
  methodTool("getConfigParam", {
    params: ["param", "seqno"],
    guide:
      "Such as 0 for the configuration contract, 15 for the times of elections, 20 and 21 for gas prices, 34 for the validators. The value is a bag of cells.",
  }),
];
