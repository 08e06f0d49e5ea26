import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";

/** Headers that scripts of any site can read (Fetch, 3.2.6 and CORS), and headers for browsers and proxies only. */
const isForOthers = new RegExp(
  "^(access-control-.*|cache-control|connection|content-.*|cross-origin-.*|date|etag|expires|keep-alive|last-modified|" +
    "referrer-policy|transfer-encoding|vary|x-accel-buffering|x-content-type-options|x-frame-options)$",
);

describe("headers of answers", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await startDevnetService({ index: true, anonymousRps: 1 });
  });
  afterAll(() => service?.close());

  it("can be read by pages of other sites, all that are sent", async () => {
    const seen = new Set<string>();
    const note = ({ headers }: { headers: Headers }) => {
      for (const name of headers.keys()) if (!isForOthers.test(name)) seen.add(name);
      return headers.get("access-control-expose-headers")!.toLowerCase().split(", ").sort();
    };
    const debugging = { headers: { "X-Debug-Request": "1" } };
    const address = `0:${"33".repeat(32)}`;
    const exposed = note(await service.get(`/api/v2/getAddressBalance?address=${address}&id=7`, debugging));
    note(await service.get(`/api/v3/masterchainInfo?acount=1`, debugging));
    note(await service.post("/jsonRPC", { jsonrpc: "2.0", id: 1, method: "getMasterchainInfo" }, debugging));
    const run = { address, method: "active_election_id", stack: [] };
    note(await service.post("/api/v2/runGetMethod", run, debugging));
    note(await service.get("/openrpc.json"));
    note(await service.get("/healthcheck"));
    note(await service.get("/nowhere"));
    // From elsewhere, as pages of another site are.
    const stranger = { key: null, headers: { Origin: "https://elsewhere.example" } };
    for (let n = 0; n < 3; n++)
      note(await service.get(`/api/v2/getAddressBalance?address=${address}`, stranger));
    expect([...seen].filter((name) => !exposed.includes(name))).toEqual([]);
    expect(seen.size).toBeGreaterThan(5);
  });
});
