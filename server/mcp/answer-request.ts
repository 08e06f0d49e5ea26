import { createMcpHandler } from "@modelcontextprotocol/server";
import { createMcpServer, type McpDeps } from "./mcp-server.js";

/** An answer over HTTP. */
type HttpAnswer = { readonly status: number; readonly body: string; readonly type: string };

/**
 * Answers one POST of the streamable HTTP transport, whose body is parsed already. There are no sessions: an answer is one message, as
 * JSON or as the only event of a stream, so that any process behind a balancer can give it.
 */
export async function answerRequest(
  headers: Readonly<Record<string, string>>,
  body: unknown,
  deps: McpDeps,
): Promise<HttpAnswer> {
  const handler = createMcpHandler(() => createMcpServer(deps), { maxSubscriptions: 0 });
  try {
    // The handler reads method and headers only.
    const request = new Request("http://localhost/mcp", { method: "POST", headers, body: "{}" });
    const response = await handler.fetch(request, { parsedBody: body });
    return {
      status: response.status,
      body: await response.text(),
      type: response.headers.get("content-type") ?? "application/json",
    };
  } finally {
    await handler.close();
  }
}
