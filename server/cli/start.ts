import type { Command } from "commander";
import type { Config } from "../config.js";
import { loadConfig, printConfig } from "../load-config.js";
import { addConfigOptions } from "./options.js";

/** The running service as the command sees it. */
export type StartedService = {
  listen(): Promise<Listening>;
  close(): Promise<void>;
};
export type Listening = {
  url: string;
  adminUrl?: string;
  devnetKey?: string;
  faucet?: string;
  liteserver?: string;
};

export type StartContext = {
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  createService: (config: Config) => StartedService;
  /** Resolves when the process is asked to stop. */
  stopRequested: () => Promise<void>;
};

type Flags = Record<string, string> & { printConfig?: true };

/** Makes `command` start the service and keep it until the process is asked to stop. */
export function addStart(command: Command, context: StartContext): Command {
  return addConfigOptions(command)
    .option("--print-config", "print the effective configuration, secrets masked, and end")
    .allowExcessArguments()
    .action(async ({ printConfig: printOnly, ...flags }: Flags) => {
      // A misspelt command lands here, as this is the one that needs no name.
      if (command.args.length > 0) command.error(`error: unknown command '${command.args[0]}'`);
      const config = loadConfig({ flags, env: context.env });
      if (printOnly) context.print(printConfig(config));
      else await serve(config, context);
    });
}

async function serve(config: Config, { createService, print, stopRequested }: StartContext): Promise<void> {
  const service = createService(config);
  const stop = stopRequested();
  try {
    // A start may take long, and nobody has to wait for its end to stop it.
    const listening = await Promise.race([service.listen(), stop]);
    if (!listening) return;
    for (const line of welcome(config, listening)) print(line);
    await stop;
  } finally {
    await service.close();
  }
}

/** Where to go from here, for the person who typed the command. */
function welcome(config: Config, listening: Listening): string[] {
  const { url, adminUrl, devnetKey, faucet, liteserver } = listening;
  const curl = devnetKey === undefined ? "curl" : `curl -H 'X-API-Key: ${devnetKey}'`;
  return [
    `tonwire serves ${config.network} at ${url}`,
    ...(adminUrl === undefined ? [] : [`metrics and status at ${adminUrl}`]),
    ...(liteserver === undefined ? [] : [`liteserver ${liteserver}`]),
    ...(devnetKey === undefined ? [] : [`API key without limits, for this run: ${devnetKey}`]),
    ...(faucet === undefined ? [] : [`the faucet's wallet: ${faucet}`]),
    "",
    `Open ${url}/ in a browser, or try:`,
    "",
    `  ${curl} '${url}/api/v2/getAddressInformation?address=${faucet ?? exampleAddress}'`,
    ...(faucet === undefined
      ? []
      : ["", `  ${curl} -H 'Content-Type: application/json' -d '${faucetCall}' ${url}/jsonRPC`]),
    "",
  ];
}

const exampleAddress = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";
const faucetCall = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "devnet.faucet",
  params: { address: "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI" },
});
