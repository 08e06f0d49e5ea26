import { Command, Option } from "commander";
import { loadConfig } from "../config/load.js";
import { addServiceOptions } from "./call-service.js";

/** The service that the tools read: another one, or a devnet that the command starts. */
export type McpPlan =
  | { readonly url: string; readonly key: string | undefined }
  | { readonly url?: undefined; readonly data: string | undefined };

export type McpContext = {
  env: NodeJS.ProcessEnv;
  /** Serves until the host closes standard input, or the process is asked to stop. Standard output is the protocol's. */
  serveModels: (plan: McpPlan) => Promise<void>;
};

type Flags = { url?: string; key?: string; data?: string };

/** `tonwire mcp`: tools for models, for hosts that start it as a program. */
export function mcpCommand({ env, serveModels }: McpContext): Command {
  const command = new Command("mcp").description(
    "serve tools for models on standard input and output, by the Model Context Protocol",
  );
  return addServiceOptions(
    command,
    "URL of a service of tonwire or TON Center; default: a devnet with sample data, which it starts",
  )
    .addOption(
      new Option("--data <folder>", "folder that keeps the devnet; default: it is in memory").conflicts([
        "url",
        "key",
      ]),
    )
    .action(({ url, key, data }: Flags) =>
      serveModels(url === undefined ? { data } : { url, key: key ?? loadConfig({ env }).devnetKey }),
    );
}
