import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sized } from "../helpers/effort.js";
import { connectModel, httpTransport } from "../helpers/services/mcp-client.js";
import { type AskOptions, startService, type TestService } from "../helpers/services/service.js";

const publicUrl = "https://ton.example";

let service: TestService;
/** Asks every caller for a key before it may change the devnet. */
let guarded: TestService;
beforeAll(async () => {
  service = await startService({ publicUrl, anonymousRps: "unlimited" });
  guarded = await startService({ devnetKeyRequired: true, anonymousRps: 5 });
});
afterAll(async () => {
  await service?.close();
  await guarded?.close();
});

const accept = { Accept: "application/json, text/event-stream" };
const listing = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const ask = ({ headers, ...options }: AskOptions = {}, body: unknown = listing) =>
  service.post("/mcp", body, { ...options, headers: { ...accept, ...headers } });

async function toolsOf({ url }: TestService, headers: Record<string, string> = {}): Promise<string[]> {
  const { client } = await connectModel(httpTransport(url, headers));
  return (await client.listTools()).tools.map(({ name }) => name);
}

describe("POST /mcp", () => {
  it("answers callers as other paths do: keys, unknown keys, media types, verbs", async () => {
    expect((await ask()).status).toBe(200);
    expect((await ask({ key: null })).status).toBe(200);
    expect((await ask({ key: "unknown" })).status).toBe(401);
    expect((await ask({ headers: { "Content-Encoding": "gzip" } })).status).toBe(415);
    expect((await service.get("/mcp", { headers: accept })).status).toBe(405);
    const { status, headers } = await service.get("/mcp", { method: "DELETE" });
    expect([status, headers.get("Allow")]).toEqual([405, expect.stringContaining("POST")]);
  });

  it("is closed to pages of other sites, also to those that rebind their name, unless they have a key", async () => {
    const statusFor = async (headers: Record<string, string>, key: string | null = null) =>
      (await ask({ headers, key })).status;
    expect(await statusFor({ Origin: "https://evil.example" })).toBe(403);
    expect(await statusFor({ Origin: "null" })).toBe(403);
    expect(await statusFor({ Origin: "http://localhost:3000" })).toBe(200);
    expect(await statusFor({ Origin: publicUrl })).toBe(200);
    expect(await statusFor({ Origin: "https://app.example" }, service.key)).toBe(200);
    const { error } = (await ask({ headers: { Origin: "https://evil.example" }, key: null })).json as {
      error: { message: string };
    };
    expect(error.message).toBe("pages need an API key for MCP: its Origin is https://evil.example");
  });

  it("offers the devnet's controls to callers who may use them", async () => {
    const controls = (names: string[]) => names.filter((name) => name.startsWith("devnet_"));
    expect(controls(await toolsOf(service))).toContain("devnet_faucet");
    expect(controls(await toolsOf(guarded, { "X-API-Key": guarded.key }))).toContain("devnet_faucet");
    expect(controls(await toolsOf(guarded))).toEqual(["devnet_info", "devnet_transaction_log"]);
    const { client } = await connectModel(httpTransport(guarded.url, { "X-API-Key": guarded.key }));
    const made = await client.callTool({ name: "devnet_mine", arguments: { blocks: 2 } });
    expect(made.content[0]).toMatchObject({ text: expect.stringContaining('"mined":2') });
  });

  it("costs the points of the calls that a tool makes", async () => {
    const limited = await startService(
      { devnetKeyRequired: true, anonymousRps: 1000 },
      { now: () => 1_700_000_000_000 },
    );
    try {
      const left = async (name: string, args: object) => {
        const { status, headers } = await limited.post(
          "/mcp",
          { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
          { key: null, headers: accept },
        );
        expect(status).toBe(200);
        return Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]);
      };
      // The state, and what lists have of the account.
      const afterAccount = await left("account", { address: `0:${"33".repeat(32)}` });
      expect(1000 - afterAccount).toBeGreaterThan(4);
      expect(await left("get_address_balance", { address: `0:${"33".repeat(32)}` })).toBe(afterAccount - 1);
    } finally {
      await limited.close();
    }
  });

  it("has resources that fit a small context, also for methods", async () => {
    const { client } = await connectModel(httpTransport(service.url));
    const { resources } = await client.listResources();
    const text = async (uri: string) => {
      const { contents } = await client.readResource({ uri });
      return (contents[0] as { text: string }).text;
    };
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(
      expect.arrayContaining([
        "tonwire://methods",
        "tonwire://methods/2",
        "tonwire://docs",
        "tonwire://docs/shared",
      ]),
    );
    const lengths = await Promise.all(uris.map(async (uri) => Buffer.byteLength(await text(uri))));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(20_000);
    const whole = (
      await Promise.all(uris.filter((uri) => uri.startsWith("tonwire://methods")).map(text))
    ).join("");
    expect(whole).toBe((await service.get("/llms.txt")).text);
    const { methods } = (await service.get("/openrpc.json")).json as { methods: { name: string }[] };
    for (const { name } of methods.filter((_, at) => at % sized(50, 1) === 0)) {
      const described = await text(`tonwire://openrpc/${name}`);
      expect(Buffer.byteLength(described)).toBeLessThanOrEqual(20_000);
      expect(JSON.parse(described)).toMatchObject({ method: { name } });
    }
    for (const uri of ["tonwire://openrpc/toString", "file:///etc/passwd", "tonwire://docs/../../etc/passwd"])
      await expect(client.readResource({ uri })).rejects.toThrow("Resource not found");
  });
});
