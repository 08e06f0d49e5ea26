import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { newestServers } from "../../../server/chain/networks/server-list.js";
import { shippedConfig, shippedFile } from "../../../server/chain/networks/shipped.js";
import { KeptFiles } from "../../../server/os/kept-files.js";
import { noFailure } from "../../helpers/no-fallback.js";
import { listed, publish } from "../../helpers/peers/published-list.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const shipped = shippedConfig("testnet");
const file = readFileSync(shippedFile("testnet"), "utf8");

/** The published configuration with other liteservers, and optionally other changes. */
function published(liteservers: readonly object[], change = (text: string) => text): string {
  // As text, because its shards exceed the precision of numbers.
  const rest = file.slice(file.indexOf('"dht"'));
  return change(`{"liteservers": ${JSON.stringify(liteservers)}, ${rest}`);
}

/** With one more server, of one shard. */
function withPart(text: string): string {
  const part = { ...listed("1.1.1.1", 9), slices: [{ shards: [{ workchain: 0, shard: 1 }] }] };
  return text.replace("{", `{"liteservers_v2": [${JSON.stringify(part)}], `);
}

const fine = published([listed("8.8.4.4"), listed("9.9.9.9", 1)]);

function asking(url: string, kept = new KeptFiles(temporaryFolder(), 4, noFailure)) {
  const lines: object[] = [];
  const log = { warn: (facts: object, text: string) => void lines.push({ ...facts, text }) };
  return {
    lines,
    kept,
    list: (limits?: { maxBytes: number; timeoutMs: number }) =>
      newestServers({ network: "testnet", shipped, url, kept, log: log as never, ...(limits && { limits }) }),
  };
}

const hostsOf = ({ servers }: { servers: readonly { host: string }[] }) => servers.map(({ host }) => host);
const unreachable = "http://127.0.0.1:1/";

describe("the liteservers of a network", () => {
  it("are the published ones, and later the last published ones", async () => {
    const { list, kept, lines } = asking(await publish(fine));
    const newest = await list();
    expect([newest.source, hostsOf(newest)]).toEqual(["published", ["8.8.4.4", "9.9.9.9"]]);
    expect(lines).toEqual([]);
    const later = asking(unreachable, kept);
    const known = await later.list();
    expect([known.source, hostsOf(known)]).toEqual(["kept", ["8.8.4.4", "9.9.9.9"]]);
    expect(later.lines).toMatchObject([
      { url: unreachable, text: "the published global configuration of testnet cannot be read" },
    ]);
  });

  it("have the whole network: those of parts are left out", async () => {
    const { list } = asking(await publish(published([listed("8.8.4.4")], withPart)));
    expect(hostsOf(await list())).toEqual(["8.8.4.4"]);
  });

  it("are the program's own while no list can be read", async () => {
    const folder = temporaryFolder();
    expect(await asking(unreachable, new KeptFiles(folder, 4, noFailure)).list()).toEqual({
      source: "shipped",
      servers: shipped.servers,
    });
    // The kept list is damaged or of another network.
    const kept = new KeptFiles(folder, 4, noFailure);
    await kept.write("testnet", [Buffer.from("{}")]);
    expect((await asking(unreachable, kept).list()).source).toBe("shipped");
  });

  it("are not asked of a server that refuses, or does not answer in time", async () => {
    const refusing = asking(
      await publish((response) => {
        response.statusCode = 404;
        response.end(fine);
      }),
    );
    expect((await refusing.list()).source).toBe("shipped");
    expect(refusing.lines).toMatchObject([{ problem: "the answer has status 404" }]);
    const silent = asking(await publish((response) => void response.write("{")));
    expect((await silent.list({ maxBytes: 1 << 20, timeoutMs: 100 })).source).toBe("shipped");
    expect(silent.lines).toHaveLength(1);
  });

  const withOtherZeroState = (text: string) => text.replace("gj+B8wb/", "gj+B8wb+");
  const endless = (response: ServerResponse) => {
    const piece = Buffer.alloc(1 << 20, " ");
    let left = 1024;
    const more = () => {
      while (left-- > 0 && response.write(piece));
    };
    response.on("drain", more);
    more();
  };
  it.each<[string, string | ((response: ServerResponse) => void), string | RegExp]>([
    ["no JSON", "<html>", /is not JSON/],
    ["nothing", "", /is not JSON/],
    ["nested without end", "[".repeat(500_000), /is not JSON/],
    ["of another network", published([listed("8.8.4.4")], withOtherZeroState), "it is of another network"],
    ["without liteservers", published([]), /lists no liteservers/],
    [
      "with liteservers of parts only",
      published([], withPart),
      "it lists no liteservers of the whole network",
    ],
    [
      "with 257 liteservers",
      published(Array.from({ length: 257 }, (_, index) => listed("8.8.4.4", index))),
      "it lists 257 liteservers, more than 256",
    ],
    [
      "with 10^4 liteservers",
      published(Array.from({ length: 10_000 }, (_, index) => listed("8.8.4.4", index))),
      "it is larger than 1048576 bytes",
    ],
    ["of a gigabyte", endless, "it is larger than 1048576 bytes"],
    [
      "with a private address among others",
      published([listed("8.8.4.4"), listed("10.0.0.1", 1)]),
      "10.0.0.1 is not a public address",
    ],
    ["with loopback", published([listed("127.0.0.1")]), "127.0.0.1 is not a public address"],
    [
      "with an address of a link",
      published([listed("169.254.169.254")]),
      "169.254.169.254 is not a public address",
    ],
    [
      "with a name",
      published([{ ...listed("8.8.4.4"), ip: undefined, hostname: "localhost" }]),
      "localhost is not a public address",
    ],
  ])("are not those of a published configuration %s", async (_, text, problem) => {
    const { list, kept, lines } = asking(await publish(text));
    await kept.write("testnet", [Buffer.from(fine)]);
    expect(await list()).toEqual({ source: "shipped", servers: shipped.servers });
    expect(lines).toEqual([
      {
        url: expect.stringContaining("127.0.0.1"),
        problem: typeof problem === "string" ? problem : expect.stringMatching(problem),
        text: "the published global configuration of testnet is ignored",
      },
    ]);
  });
});
