import { type Command, InvalidArgumentError } from "commander";
import { trimEnd } from "../../shared/values/trim-end.js";
import { loadConfig } from "../config/load.js";
import { SetupError } from "../errors.js";

/** Which service a command calls, and with which key. */
export type ServiceFlags = { url?: string; key?: string };

/** `url`: what the option is for, of commands that do without a service by default. */
export function addServiceOptions(
  command: Command,
  url = "URL of the service; default: the configured port on 127.0.0.1",
): Command {
  return command
    .option("--url <url>", url, readUrl)
    .option(
      "--key <key>",
      "API key for the service; default: the configured one. A devnet on this machine needs none, unless it has --devnet-key-required",
    );
}

function readUrl(text: string): string {
  const isUrl = /^https?:\/\//i.test(text) && URL.canParse(text);
  if (!isUrl) throw new InvalidArgumentError("Allowed: a URL with http or https.");
  return text;
}

/** The result of a call to a running service. Throws a SetupError with its reason if it refuses the call. */
export async function callService(
  method: string,
  params: Readonly<Record<string, unknown>>,
  flags: ServiceFlags,
  { env }: { env: NodeJS.ProcessEnv },
): Promise<unknown> {
  const { port, devnetKey } = loadConfig({ env });
  const { url = `http://127.0.0.1:${port}`, key = devnetKey } = flags;
  const answer = await post(`${trimEnd(url, "/")}/jsonRPC`, key, {
    jsonrpc: "2.0",
    id: 1,
    method,
    params,
  });
  const { result, error } = answer as { result?: unknown; error?: { message?: unknown } };
  if (error) throw new SetupError(`${method}: ${String(error.message)}`);
  return result;
}

async function post(url: string, key: string | undefined, body: object): Promise<object> {
  const headers = { "Content-Type": "application/json", ...(key !== undefined && { "X-API-Key": key }) };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => {
    throw new SetupError(
      `no service answers at ${url}; start one with tonwire start, or name another with --url`,
    );
  });
  // Not JSON: refused below.
  const answer: unknown = await response.json().catch(() => undefined);
  if (typeof answer === "object" && answer !== null) return answer;
  throw new SetupError(`${url} answers with the status ${response.status}, but it is no tonwire service`);
}
