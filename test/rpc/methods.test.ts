import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { rpcMethods } from "../../shared/methods/rpc.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService();
});
afterAll(() => service.close());

describe("rpc.ping", () => {
  it("answers pong", async () => {
    expect(await service.rpc("rpc.ping")).toEqual({ jsonrpc: "2.0", id: 1, ok: true, result: "pong" });
  });
});

describe("rpc.discover", () => {
  it("answers an OpenRPC document with every method", async () => {
    const document = await service.run<{ methods: { name: string; summary: string }[] }>("rpc.discover");
    expect(rpcMethods.discover.result.parse(document)).toEqual(document);
    const listed = new Map(document.methods.map(({ name, summary }) => [name, summary]));
    for (const [name, { summary }] of flatten(registry))
      expect([name, listed.get(name)]).toEqual([name, summary]);
  });
});
