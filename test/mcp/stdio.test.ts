import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { remoteSession } from "../../server/mcp/remote-session.js";
import { isLong, variants } from "../helpers/effort.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { connectModel } from "../helpers/services/mcp-client.js";
import { programArguments } from "../helpers/services/program.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { TonCenterService } from "../helpers/services/ton-center-service.js";
import { copyStoryService } from "../helpers/stories/story-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const main = programArguments(new URL("../../server/main.ts", import.meta.url));

/** A transport that starts `tonwire mcp`, and what that prints on standard error. */
function startedBy(args: readonly string[]) {
  const { PATH = "", HOME = "" } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...main, "mcp", ...args],
    env: {
      PATH,
      HOME,
      TONWIRE_CACHE: "off",
      TONWIRE_TEST_ENTRIES: process.env["TONWIRE_TEST_ENTRIES"] ?? "",
    },
    stderr: "pipe",
  });
  let errors = "";
  transport.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  return { transport, errors: () => errors };
}

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
});
afterAll(() => service?.close());

describe("tonwire mcp", () => {
  it.each(variants(["modern"] as const, ["legacy"] as const))(
    "serves another service (%s protocol)",
    async (era) => {
      const { transport, errors } = startedBy(["--url", service.url, "--key", service.key]);
      const { client, ask, refusal } = await connectModel(transport, era);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["history", "devnet_faucet"]));
      const address = `0:${(era === "legacy" ? "61" : "62").repeat(32)}`;
      await ask("devnet_faucet", { address, amount: "3000000000" });
      await service.mine();
      // The service has no index, and the overview says so.
      expect(await ask("account", { address })).toMatchObject({
        balance_ton: "3",
        jettons: { not_available: expect.any(String) },
      });
      expect(await refusal("account", { address: "0:12" })).toMatchObject({ code: "invalid-params" });
      expect(errors()).toBe("");
    },
  );

  it.runIf(isLong)("starts a devnet with sample data, and ends with its host", async () => {
    const data = temporaryFolder();
    await copyStoryService(data);
    const { transport, errors } = startedBy(["--data", data]);
    const { client, ask } = await connectModel(transport);
    const { matches } = await ask<{ matches: { kind: string; address: string }[] }>("search", {
      query: "Ann",
    });
    expect(matches[0]).toMatchObject({ kind: "wallet" });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("tonwire://docs/server/devnet");
    const { contents } = await client.readResource({ uri: "tonwire://openrpc/devnet.faucet" });
    expect(JSON.parse((contents[0] as { text: string }).text).method).toMatchObject({
      name: "devnet.faucet",
    });
    expect(errors()).toMatch(/^tonwire: the devnet and its explorer are at http:\/\/127\.0\.0\.1:\d+\n$/);
    await client.close();
  });

  it("reads TON Center's services, without the tools that these lack", async () => {
    const tonCenter = await TonCenterService.start();
    const { transport } = startedBy(["--url", tonCenter.url, "--key", "k"]);
    const { client, ask, refusal } = await connectModel(transport);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["search", "account", "history", "explain_transaction"]));
    expect(names.filter((name) => name.startsWith("devnet") || name === "message_status")).toEqual([]);
    expect(await ask("history", { limit: 1 })).toMatchObject({ actions: [], cursor: null });
    expect(await ask("network")).toMatchObject({ is_devnet: false, newest_block: { seqno: 5 } });
    expect(await refusal("decode", { opcodes: ["0x1"] })).toMatchObject({ error: expect.any(String) });
    expect(tonCenter.keys).toEqual(new Set(["k"]));
  });

  it("says that nothing answers at a URL", async () => {
    const session = remoteSession("http://127.0.0.1:9", undefined);
    onTestFinished(() => session.close());
    await expect(session.call("getMasterchainInfo", {})).rejects.toThrow(
      "no answer from http://127.0.0.1:9/api/v2/jsonRPC",
    );
  });
});
