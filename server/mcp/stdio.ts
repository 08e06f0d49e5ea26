import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServer, type McpDeps } from "./mcp-server.js";

/** The longest message that a host may send. */
const maxMessageBytes = 1024 * 1024;

/** Serves the protocol on standard input and output until the host closes them. */
export function serveOnStdio(deps: McpDeps): { ended: Promise<void>; close(): Promise<void> } {
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: maxMessageBytes,
  });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve);
    process.stdout.once("error", () => resolve());
  });
  const handle = serveStdio(() => createMcpServer(deps), {
    transport,
    maxSubscriptions: 0,
    onerror: deps.onDefect,
  });
  return { ended, close: () => handle.close() };
}
