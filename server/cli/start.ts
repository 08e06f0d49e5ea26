import { Command } from "commander";
import { amountText } from "../../shared/text/amount-text.js";
import { isDevnetKeyRequired } from "../access/local-request.js";
import type { Config } from "../config/settings.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import { confirmShared } from "./confirm-index.js";
import { configKeys } from "./options.js";
import type { Terminal } from "./progress-display.js";
import { type ServeContext, type Started, serve } from "./serve.js";
import { table } from "./table.js";

/** The running service, as seen by the command. */
type StartedService = Started<Listening>;
type Listening = {
  url: string;
  adminUrl?: string;
  devnetKey?: string;
  devnetKeyFile?: string;
  faucet?: string;
  wallets?: readonly { name: string; address: string; balance: bigint }[];
  trustedBlock?: object;
  fork?: { source: string; seqno: number; isProven: boolean; warning: string };
  liteserver?: string;
};

export type StartContext = ServeContext &
  ConfiguredContext & {
    terminal: Pick<Terminal, "isTerminal">;
    createService: (config: Config) => Promise<StartedService>;
    /** As `createService`, but reads the index that another process writes. */
    createApi: (config: Config) => Promise<StartedService>;
  };

/** Makes `command` start the service and run it until the process is asked to stop. */
export function addStart(command: Command, context: StartContext): Command {
  const run = (config: Config, _own: object, reread: () => Config) =>
    serve({ starting: context.createService(config), welcome: welcomeTo(config, context), reread }, context);
  // Misspelt commands end up here, because this is the default command.
  command.allowExcessArguments().hook("preAction", () => {
    if (command.args.length > 0) command.error(`error: unknown command '${command.args[0]}'`);
  });
  return configured(command, context, { keys: configKeys(), run });
}

/** `tonwire api`: serves requests without writing the index; any number can run. */
export function apiCommand(context: StartContext): Command {
  const command = new Command("api").description(
    "serve without writing an index: v3 reads the PostgreSQL database that `tonwire index` writes",
  );
  const run = async (config: Config, _own: object, reread: () => Config) => {
    confirmShared("api", config);
    await serve(
      { starting: context.createApi(config), welcome: welcomeTo(config, context), reread },
      context,
    );
  };
  return configured(command, context, { keys: configKeys({ without: ["from", ...devnetKeys] }), run });
}

/** Settings of the process that runs the devnet. */
const devnetKeys = [
  "devnetSeed",
  "story",
  "mining",
  "miningIntervalMs",
  "clock",
  "devnetRewards",
  "devnetElections",
  "devnetValidators",
  "fork",
  "forkUrl",
  "forkKey",
  "forkBlock",
  "forkTime",
] as const;

const welcomeTo =
  (config: Config, { terminal }: Pick<StartContext, "terminal">) =>
  (listening: Listening) =>
    welcome(config, listening, terminal.isTerminal);

/** The lines printed after the start: URLs, keys and first calls to try. */
function welcome(config: Config, listening: Listening, isTerminal: boolean): string[] {
  const { url, adminUrl, devnetKey, devnetKeyFile: file, faucet, fork, liteserver, trustedBlock } = listening;
  // Output that does not go to a terminal may end in a log, where a key must not appear.
  const isShown = devnetKey !== undefined && (isTerminal || file === undefined);
  const life = file === undefined ? "for this run" : `in ${file}`;
  const key = `API key without limits, ${life}${isShown ? `: ${devnetKey}` : ""}`;
  const header = isShown ? `'X-API-Key: ${devnetKey}'` : `"X-API-Key: $(cat '${file}')"`;
  const curl = devnetKey === undefined ? "curl" : `curl -H ${header}`;
  return [
    `tonwire serves ${config.network} at ${url}`,
    ...(fork ? forkLines(fork) : []),
    ...(adminUrl === undefined ? [] : [`metrics and status at ${adminUrl}`]),
    ...(liteserver === undefined ? [] : [`liteserver ${liteserver}`]),
    ...(devnetKey === undefined ? [] : [key]),
    ...(faucet === undefined ? [] : [whoMayChange(config), `faucet wallet: ${faucet}`]),
    ...walletLines(listening),
    ...(trustedBlock ? [`trustedBlock for tonwire/verified: ${JSON.stringify(trustedBlock)}`] : []),
    "",
    `Open ${url}/${isShown ? `#key=${encodeURIComponent(devnetKey)}` : ""} in a browser, or try:`,
    "",
    `  ${curl} '${url}/api/v2/getAddressInformation?address=${faucet ?? exampleAddress}'`,
    ...(faucet === undefined
      ? []
      : ["", `  ${curl} -H 'Content-Type: application/json' -d '${faucetCall}' ${url}/jsonRPC`]),
    "",
  ];
}

function walletLines({ wallets, url }: Listening): string[] {
  if (!wallets) return [];
  const rows = wallets.map(({ name, address, balance }) => [
    `  ${name}`,
    address,
    `${amountText(balance, tonDecimals)} TON`,
  ]);
  return [
    `wallets, whose mnemonics \`tonwire devnet wallets --url ${url}\` prints:`,
    ...(rows.length > 0 ? table(rows) : []),
  ];
}

function forkLines({ source, seqno, isProven, warning }: NonNullable<Listening["fork"]>): string[] {
  return [
    `fork of ${source} at block ${seqno}, ${isProven ? "with proofs" : "without proofs: the service is believed"}`,
    `${warning}: devnet.impersonate needs no key`,
  ];
}

function whoMayChange(config: Config): string {
  const whose = config.devnetKeyRequired === false ? "all" : "your";
  const others = isDevnetKeyRequired(config)
    ? "nobody else"
    : `${whose} programs and local pages on this machine also without one`;
  return `may change the devnet: callers with an API key, ${others}`;
}

const tonDecimals = 9;
const exampleAddress = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";
const faucetCall = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "devnet.faucet",
  params: { address: "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI" },
});
