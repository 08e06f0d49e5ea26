import { existsSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { resolve, sep } from "node:path";
import { sharedRead } from "../../../shared/values/shared-reads.js";
import { callService } from "../../cli/call-service.js";
import type { DebuggerPlan } from "../../cli/debug.js";
import { serveFramed } from "../../debug-adapter/framed-session.js";
import { FramingError } from "../../debug-adapter/framing.js";
import type { LaunchArguments } from "../../debug-adapter/launch/launch-arguments.js";
import { type LocalCode, type LocalSources, noLocalSources } from "../../debug-adapter/local-sources.js";
import { type CallService, RequestError } from "../../debug-adapter/service-calls.js";
import { SetupError } from "../../errors.js";
import { readFileWithin } from "../../os/read-file-within.js";
import { explainPortError } from "../service/port-error.js";
import { recompileProject } from "./recompile.js";

type Terminal = {
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  printError: (line: string) => void;
  stopRequested: () => Promise<unknown>;
};

const host = "127.0.0.1";
const maxConnections = 8;
const maxFileBytes = 1 << 20;

/** Serves editors by the Debug Adapter Protocol, on a port of this machine or on standard input and output. */
export async function serveDebugger(plan: DebuggerPlan, terminal: Terminal): Promise<void> {
  const deps = {
    serviceOf: (given: LaunchArguments) => serviceOf(given, plan, terminal),
    local: localSources(plan.project),
  };
  if (plan.port === undefined) {
    const served = serveFramed({ input: process.stdin, output: process.stdout }, deps);
    await Promise.race([served, terminal.stopRequested()]);
    return;
  }
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The connection is closed after it.
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    serveFramed({ input: socket, output: socket }, deps)
      .catch((error: unknown) => terminal.printError(`tonwire: ${describe(error)}`))
      .finally(() => socket.end(() => socket.destroy()));
  });
  server.maxConnections = maxConnections;
  const port = await listen(server, plan.port);
  terminal.print(`tonwire: the debug adapter listens on ${host}:${port}`);
  await terminal.stopRequested();
  for (const socket of sockets) socket.destroy();
  await new Promise((closed) => server.close(closed));
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  const listening = new Promise<number>((done, failed) => {
    // Also later ones, such as a lack of files, which end one connection only.
    server.on("error", failed);
    server.listen(port, host, () => {
      const address = server.address();
      done(typeof address === "object" && address ? address.port : port);
    });
  });
  return listening.catch(explainPortError("--port"));
}

/** The service of the command, or one that the client names: that one gets the client's key only. */
function serviceOf({ service, key }: LaunchArguments, plan: DebuggerPlan, { env }: Terminal): CallService {
  if (service !== undefined && !(/^https?:\/\//i.test(service) && URL.canParse(service)))
    throw new RequestError("service: a URL with http or https is needed");
  const flags =
    service === undefined ? { ...plan.flags, ...(key && { key }) } : { url: service, key: key ?? "" };
  return (method, params) => callService(method, { ...params }, flags, { env });
}

/** Files of this machine, and the sources of a project, if there is one. A code is compiled once. */
function localSources(project: string | undefined): LocalSources {
  const root = resolve(project ?? ".");
  const files = { ...noLocalSources, readFile: (path: string) => readText(resolve(root, path)) };
  if (project === undefined) return files;
  const known = new Map<string, Promise<LocalCode>>();
  return {
    ...files,
    codeOf: (hashes) => sharedRead(known, hashes.join(), () => compile(root, hashes)),
    pathOf(file) {
      const path = resolve(root, file);
      return path.startsWith(root + sep) && existsSync(path) ? path : undefined;
    },
  };
}

async function readText(path: string): Promise<string> {
  try {
    return (await readFileWithin(path, maxFileBytes)).toString("utf8");
  } catch (error) {
    throw new RequestError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function compile(folder: string, hashes: readonly string[]): Promise<LocalCode> {
  const project = await recompileProject(folder, hashes).catch((error: unknown) => {
    // Runs can be walked without sources, and the user is told.
    if (error instanceof SetupError) return error.message;
    throw error;
  });
  if (typeof project === "string") return { notes: [project], relocated: (steps) => steps };
  const { found, compiled, failures } = project;
  if (!found) {
    const note = `no contract of ${folder} makes the code ${hashes[0]}, of ${compiled} that were compiled`;
    return { notes: [note, ...failures], relocated: (steps) => steps };
  }
  const { file, compiler, locate, relocated } = found;
  const made = `${file}, recompiled here by ${compiler}: it makes the code of the run`;
  return { notes: [locate ? made : `${made}; this compiler tells no lines`], locate, relocated };
}

function describe(error: unknown): string {
  if (error instanceof FramingError) return `a client was disconnected: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
