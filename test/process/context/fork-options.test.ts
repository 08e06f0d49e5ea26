import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseGlobalConfig } from "../../../server/chain/liteservers/global-config.js";
import { type Config, configWith } from "../../../server/config/settings.js";
import { forkJettonsOf, forkOptionsOf } from "../../../server/process/context/fork-options.js";
import { Address } from "../../../shared/values/address.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const optionsWith = (settings: Partial<Config>) => forkOptionsOf(configWith(settings));

describe("the options of a fork", () => {
  test("are absent without a fork", () => {
    expect(optionsWith({})).toBeUndefined();
    expect(optionsWith({ network: "mainnet" })).toBeUndefined();
  });

  test.each(["mainnet", "testnet"] as const)(
    "have the liteservers of %s that come with the package",
    (fork) => {
      const { origin, time } = optionsWith({ fork, forkBlock: 5, data: "folder" })!;
      expect(origin).toMatchObject({
        kind: "liteservers",
        name: fork,
        block: 5,
        folder: join("folder", "fork"),
      });
      expect(origin).toMatchObject({ listUrl: expect.stringMatching(/^https:/) });
      expect(
        origin.kind === "liteservers" && parseGlobalConfig(origin.config).servers.length,
      ).toBeGreaterThan(0);
      expect(time).toBe("now");
    },
  );

  test("take no newer list of liteservers if none is wanted", () => {
    expect(optionsWith({ fork: "mainnet", globalConfigUrl: "off" })!.origin).not.toHaveProperty("listUrl");
  });

  test("have the liteservers of a file", () => {
    const path = join(temporaryFolder(), "other.json");
    const shipped = optionsWith({ fork: "testnet" })!.origin;
    const config = shipped.kind === "liteservers" ? shipped.config : "";
    writeFileSync(path, config);
    expect(optionsWith({ fork: path, forkTime: "block" })).toEqual({
      origin: { kind: "liteservers", name: "other.json", config, block: undefined, folder: undefined },
      time: "block",
    });
  });

  test("have a service and its key", () => {
    expect(optionsWith({ forkUrl: "https://example.org", forkKey: "secret" })!.origin).toEqual({
      ...{ kind: "url", url: "https://example.org", key: "secret" },
      ...{ block: undefined, folder: undefined },
    });
  });

  const url = "https://example.org";
  test.each<[Partial<Config>, string]>([
    [{ forkBlock: 5 }, "--fork-block needs --fork or --fork-url"],
    [{ forkJettons: "0:00" }, "--fork-jettons needs --fork or --fork-url"],
    [{ forkKey: "secret" }, "--fork-key needs --fork-url"],
    [{ fork: "mainnet", forkKey: "secret" }, "--fork-key needs --fork-url"],
    [{ fork: "mainnet", forkUrl: url }, "--fork and --fork-url name two networks: leave one of them out"],
    [{ fork: "mainnet", network: "mainnet" }, "--fork makes a devnet: leave out --network mainnet"],
    [{ forkUrl: url, network: "testnet" }, "--fork-url makes a devnet: leave out --network testnet"],
    [
      { fork: "mainnet", globalConfig: "devnet.json" },
      "--global-config reads the devnet of another process: leave it out, or name its file with --fork to fork that devnet",
    ],
    [
      { fork: "mainnet", devnetElections: "short" },
      "a fork holds no elections: leave out --devnet-elections, or --fork",
    ],
  ])("refuse %j", (settings, problem) => {
    expect(() => optionsWith(settings)).toThrow(problem);
  });

  test("refuse a URL for a file, without its password", () => {
    expect(() => optionsWith({ fork: "HTTPS://ann:hunter2@example.org" })).toThrow(
      /^--fork is a URL, which --fork-url takes$/,
    );
  });

  describe("have jettons", () => {
    const masters = ["1", "2"].map((digit) => Address.read(`0:${digit.repeat(64)}`)!.address);
    const jettonsIn = (forkJettons: string) => forkJettonsOf(configWith({ fork: "testnet", forkJettons }));

    test("of a list, or of a file", () => {
      expect(jettonsIn(masters.map((each) => each.toFriendly()).join(", "))).toEqual(masters);
      const path = join(temporaryFolder(), "jettons, ours.txt");
      writeFileSync(path, `${masters.map((each) => each.toRaw()).join("\n")}\n`);
      expect(jettonsIn(path)).toEqual(masters);
      expect(forkJettonsOf(configWith({ fork: "testnet" }))).toEqual([]);
    });

    test.each([
      [`0:${"1".repeat(64)},there`, '--fork-jettons has "there", which is no address'],
      ["no-file", /^--fork-jettons is "no-file", which has no address and cannot be read as a file: ENOENT/],
    ])("refuse %s", (forkJettons, problem) => {
      expect(() => optionsWith({ fork: "testnet", forkJettons })).toThrow(problem);
    });

    test("refuse more of them than a search looks up", () => {
      const path = join(temporaryFolder(), "many.txt");
      writeFileSync(path, Array(257).fill(masters[0]!.toRaw()).join("\n"));
      expect(() => optionsWith({ fork: "testnet", forkJettons: path })).toThrow(
        "--fork-jettons has 257 jetton masters, more than 256",
      );
    });
  });

  test("refuse a file that is no global configuration", () => {
    expect(() => optionsWith({ fork: "mainet" })).toThrow(
      /^--fork is "mainet", which is not mainnet or testnet and cannot be used as a file: ENOENT/,
    );
    const path = join(temporaryFolder(), "empty.json");
    writeFileSync(path, "{}");
    expect(() => optionsWith({ fork: path })).toThrow(
      /cannot be used as a file: validator is not an object$/,
    );
  });
});
