import { randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname, resolve, sep } from "node:path";
import { sharedRead } from "../../../shared/values/shared-reads.js";
import { trustedUsers } from "../../access/unmarked-proxies.js";
import { callService } from "../../cli/call-service.js";
import type { DebuggerPlan } from "../../cli/debug.js";
import { type Streams, serveFramed } from "../../debug-adapter/framed-session.js";
import { FramingError } from "../../debug-adapter/framing.js";
import type { LaunchArguments } from "../../debug-adapter/launch/launch-arguments.js";
import { type LocalCode, type LocalSources, noLocalSources } from "../../debug-adapter/local-sources.js";
import { type CallService, RequestError } from "../../debug-adapter/service-calls.js";
import { SetupError } from "../../errors.js";
import { readFileWithin } from "../../os/read-file-within.js";
import { realPathWithin } from "../../os/real-path.js";
import { TcpTable } from "../../os/tcp-table.js";
import { explainPortError } from "../context/port-error.js";
import { recompileProject } from "./recompile.js";

type Terminal = {
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  printError: (line: string) => void;
  stopRequested: () => Promise<unknown>;
  /** Finds the users of connections. Default: the kernel's, on Linux. */
  tcpTable?: TcpTable | undefined;
};

const host = "127.0.0.1";
const maxConnections = 8;
const maxFileBytes = 1 << 20;

/** Serves editors by the Debug Adapter Protocol, on a port of this machine or on standard input and output. */
export async function serveDebugger(plan: DebuggerPlan, terminal: Terminal): Promise<void> {
  const local = localSources(plan.project);
  /** `token`: what launches of this client must name. */
  const serve = (streams: Streams, token?: string) =>
    serveFramed(streams, {
      serviceOf(given) {
        if (token !== undefined) checkToken(given, token);
        return serviceOf(given, plan, terminal);
      },
      local,
    });
  if (plan.port === undefined) {
    const served = serve({ input: process.stdin, output: process.stdout });
    await Promise.race([served, terminal.stopRequested()]);
    return;
  }
  const { tcpTable = kernelTable() } = terminal;
  const users = trustedUsers();
  const token = randomBytes(16).toString("hex");
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The connection is closed after it.
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    const serveOwner = async () => {
      const side = (await tcpTable?.otherSideOf(socket)) ?? "unknown";
      if (side === "closed") return;
      if (side !== "unknown" && !users.has(side.user))
        throw new ForeignClientError(`a program of the user ${side.user} was disconnected`);
      await serve({ input: socket, output: socket }, side === "unknown" ? token : undefined);
    };
    serveOwner()
      .catch((error: unknown) => terminal.printError(`tonwire: ${describe(error)}`))
      .finally(() => socket.end(() => socket.destroy()));
  });
  server.maxConnections = maxConnections;
  const port = await listen(server, plan.port);
  terminal.print(`tonwire: the debug adapter listens on ${host}:${port}`);
  terminal.print(
    `tonwire: where the system does not show whose connections these are, launch needs "token": "${token}"`,
  );
  await terminal.stopRequested();
  for (const socket of sockets) socket.destroy();
  await new Promise((closed) => server.close(closed));
}

/** A connection of a user who must not read the files of this one. */
class ForeignClientError extends Error {}

function kernelTable(): TcpTable | undefined {
  return process.platform === "linux" ? new TcpTable() : undefined;
}

/** Editors send no headers: the argument shows that the client may read what this program prints. */
function checkToken({ token = "" }: LaunchArguments, expected: string): void {
  const given = Buffer.from(token);
  const known = Buffer.from(expected);
  if (given.length !== known.length || !timingSafeEqual(given, known))
    throw new RequestError("launch needs the token that tonwire debug has printed at its start");
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
  const files = { ...noLocalSources, readFile: (path: string) => readText(root, path) };
  if (project === undefined) return files;
  const known = new Map<string, Promise<LocalCode>>();
  return {
    ...files,
    codeOf: (hashes) => sharedRead(known, hashes.join(), () => compile(root, hashes)),
    pathOf(file) {
      const path = resolve(root, file);
      return existsSync(path) && realPathWithin(root, path) !== undefined ? path : undefined;
    },
  };
}

/** The text of a file of the folder, or of another one by its path. A link leads out of neither: errors may show a line of the file. */
async function readText(root: string, given: string): Promise<string> {
  const path = resolve(root, given);
  try {
    const real = realPathWithin(path.startsWith(root + sep) ? root : dirname(path), path);
    if (real === undefined) throw new Error("it is a link to a file of another folder");
    return (await readFileWithin(real, maxFileBytes)).toString("utf8");
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
  if (error instanceof ForeignClientError) return error.message;
  if (error instanceof FramingError) return `a client was disconnected: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
