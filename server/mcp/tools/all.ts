import type { Tool } from "../tool.js";
import { accountTools } from "./accounts.js";
import { contractTools } from "./contracts.js";
import { debugTools } from "./debugging.js";
import { devnetTools } from "./devnet.js";
import { search } from "./search.js";
import { traceTools } from "./traces.js";

/** All tools, by name. None signs, and none sends a message to a network whose coins are worth something. */
export function allTools(): ReadonlyMap<string, Tool> {
  const tools = [search, ...accountTools, ...traceTools, ...debugTools, ...contractTools, ...devnetTools];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
