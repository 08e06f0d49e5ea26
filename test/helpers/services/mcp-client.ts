import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

/** The SDK's client of a server of the Model Context Protocol. */
export type ModelClient = {
  readonly client: Client;
  /** The answer of a tool, parsed; fails the test if it is a failure. */
  ask<T = Record<string, unknown>>(tool: string, args?: object): Promise<T & { notice: string }>;
  /** The failure of a tool. */
  refusal(tool: string, args?: object): Promise<{ error: string; code: string }>;
  /** The text of an answer. */
  text(tool: string, args?: object): Promise<string>;
};

/** `era`: the protocol's revision of 2025 with its handshake, or that of 2026 without. */
export async function connectModel(
  transport: Transport,
  era: "legacy" | "modern" = "legacy",
): Promise<ModelClient> {
  const versionNegotiation = { mode: era === "modern" ? { pin: "2026-07-28" } : ("legacy" as const) };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, args: object) => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
    const [first] = content;
    if (first?.type !== "text") throw new Error("a tool answered without a text");
    return { text: first.text, isError };
  };
  return {
    client,
    async text(tool, args = {}) {
      return (await call(tool, args)).text;
    },
    async ask(tool, args = {}) {
      const { text, isError } = await call(tool, args);
      if (isError) throw new Error(`${tool} fails: ${text}`);
      return JSON.parse(text);
    },
    async refusal(tool, args = {}) {
      const { text, isError } = await call(tool, args);
      if (!isError) throw new Error(`${tool} answers ${text}`);
      return JSON.parse(text);
    },
  };
}

/** A transport to `/mcp` of a service. */
export function httpTransport(url: string, headers: Record<string, string> = {}): Transport {
  return new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } });
}
