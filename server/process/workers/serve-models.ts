import { registry } from "../../../shared/methods/registry.js";
import { handledLater } from "../../../shared/values/promises.js";
import { createDocuments } from "../../http/documents/documents.js";
import type { DocumentSource } from "../../mcp/documents.js";
import { remoteSession } from "../../mcp/remote-session.js";
import type { Session } from "../../mcp/session.js";
import { serveOnStdio } from "../../mcp/stdio.js";
import { documentsForModels } from "../service/documents-for-models.js";
import { version } from "../service/version.js";
import { startDevnet } from "./devnet-library.js";

type Plan = { url?: undefined; data: string | undefined } | { url: string; key: string | undefined };

type Terminal = {
  printError: (line: string) => void;
  stopRequested: () => Promise<unknown>;
};

/** The service that the tools read. */
type Opened = {
  session: Session;
  /** Rejects if it cannot be opened; never resolves. */
  failed: Promise<never>;
  close(): Promise<void>;
};

/**
 * Serves the Model Context Protocol on standard input and output until the host closes them, or the process is asked to stop. An own
 * devnet starts meanwhile; the first call waits for it.
 */
export async function serveModels(plan: Plan, { printError, stopRequested }: Terminal): Promise<void> {
  const opened = plan.url === undefined ? openDevnet(plan.data, printError) : openRemote(plan.url, plan.key);
  const { session, failed } = opened;
  const served = serveOnStdio({
    session,
    documents: documentsOf(session),
    version,
    onDefect: (error) => printError(`tonwire: ${error instanceof Error ? error.stack : String(error)}`),
  });
  try {
    await Promise.race([served.ended, stopRequested(), failed]);
  } finally {
    await served.close();
    await opened.close();
  }
}

const never = new Promise<never>(() => {});

function openRemote(url: string, key: string | undefined): Opened {
  const session = remoteSession(url, key);
  return { session, failed: never, close: async () => session.close() };
}

/** A devnet with sample data; its calls wait until it has started. */
function openDevnet(data: string | undefined, printError: (line: string) => void): Opened {
  const devnet = startDevnet({ story: true, data });
  const started = devnet.then(({ url, key }) => {
    printError(`tonwire: the devnet and its explorer are at ${url}`);
    return remoteSession(url, key);
  });
  const failed = started.then(() => never);
  handledLater(failed);
  return {
    session: {
      call: async (method, params) => (await started).call(method, params),
      has: async (method) => (await started).has(method),
    },
    failed,
    async close() {
      // A devnet that did not start has nothing to close.
      const session = await started.catch(() => undefined);
      session?.close();
      if (session) await (await devnet).close();
    },
  };
}

/** The documents of this package, with the devnet's methods if the service has them. */
function documentsOf(session: Session): DocumentSource {
  let made: DocumentSource | undefined;
  const source = async () => {
    const network = (await session.has("devnet.info")) ? "devnet" : "mainnet";
    made ??= documentsForModels(createDocuments(registry, { network, version }));
    return made;
  };
  return { texts: async () => (await source()).texts(), openRpc: async () => (await source()).openRpc() };
}
