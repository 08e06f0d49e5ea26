import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ConfigSources, loadConfig, printConfig } from "../../server/config/load.js";
import { ConfigError, configWith, keysFileOf, settings } from "../../server/config/settings.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

function file(content: unknown): string {
  const path = join(temporaryFolder(), "tonwire.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function problemsOf(sources: ConfigSources): readonly string[] {
  try {
    loadConfig(sources);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("the configuration", () => {
  it("consists of defaults without any source", () => {
    const config = loadConfig({});
    const defaults = Object.entries(settings).map(([key, setting]) => [key, setting.default]);
    expect(config).toEqual(Object.fromEntries(defaults));
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 8081,
      network: "devnet",
      data: undefined,
      index: true,
    });
  });

  it("takes the flag before the environment, that before the file, that before the default", () => {
    const config = file({ port: 1, adminPort: 1, maxBatch: 1 });
    const env = { TONWIRE_CONFIG: config, PORT: "2", TONWIRE_ADMIN_PORT: "2" };
    const { port, adminPort, maxBatch, slowMs } = loadConfig({ flags: { port: "3" }, env });
    expect({ port, adminPort, maxBatch, slowMs }).toEqual({
      port: 3,
      adminPort: 2,
      maxBatch: 1,
      slowMs: 1000,
    });
  });

  it("takes booleans as words and as JSON, and nothing else for them", () => {
    expect(loadConfig({ flags: { story: "false" } }).story).toBe(false);
    expect(
      loadConfig({ env: { TONWIRE_CONFIG: file({ story: false, devnetRewards: true }) } }),
    ).toMatchObject({
      story: false,
      devnetRewards: true,
    });
    expect(() => loadConfig({ env: { TONWIRE_STORY: "no" } })).toThrow(
      'TONWIRE_STORY is "no"; allowed: true or false',
    );
  });

  it("prefers the file named by the flag", () => {
    const env = { TONWIRE_CONFIG: file({ port: 1 }) };
    expect(loadConfig({ flags: { config: file({ port: 2 }) }, env }).port).toBe(2);
  });

  it("reads every form of the proxies that are trusted", () => {
    const read = (text: string) => loadConfig({ env: { TONWIRE_TRUST_PROXY: text } }).trustProxy;
    expect(read("2")).toEqual({ hops: 2 });
    expect(read("10.0.0.0/8, fd00::/8,192.0.2.1")).toEqual({
      networks: ["10.0.0.0/8", "fd00::/8", "192.0.2.1"],
    });
    const fromFile = loadConfig({ flags: { config: file({ trustProxy: ["10.0.0.0/8"] }) } });
    expect(fromFile.trustProxy).toEqual({ networks: ["10.0.0.0/8"] });
  });

  it("reads the networks of webhooks", () => {
    const read = (text: string) => loadConfig({ env: { TONWIRE_WEBHOOK_NETWORKS: text } }).webhookNetworks;
    expect(read("10.0.0.0/8, fd00::/8,192.0.2.1")).toEqual(["10.0.0.0/8", "fd00::/8", "192.0.2.1"]);
    for (const wrong of ["1", "10.0.0.0/33", "host.docker.internal", "10.0.0.0/8,"])
      expect(() => read(wrong)).toThrow("allowed: a comma-separated list of CIDR networks such as");
  });

  it("reads the collections of domains, each with its zone", () => {
    const [ton, telegram] = [`0:${"AB".repeat(32)}`, "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"];
    const roots = [
      { collection: ton, zone: "ton" },
      { collection: "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8", zone: "t.me" },
    ];
    const read = (text: string) => loadConfig({ env: { TONWIRE_DNS_ROOTS: text } }).dnsRoots;
    expect(read(`${ton.toLowerCase()}=ton, ${telegram}=t.me`)).toEqual(roots);
    const fromFile = loadConfig({ flags: { config: file({ dnsRoots: [`${ton}=ton`] }) } });
    expect(fromFile.dnsRoots).toEqual([roots[0]]);
    for (const wrong of [ton, `${ton}=me`, `${ton}=ton=ton`, `=ton`, `${ton}=ton,`, `${ton}=toString`])
      expect(() => read(wrong)).toThrow("allowed: a comma-separated list such as EQ...=ton,0:...=t.me");
  });

  it("takes an empty variable for one that is not set, and leaves the tests' own variables alone", () => {
    const env = { TONWIRE_ANONYMOUS_RPS: "", TONWIRE_CONFIG: "", TONWIRE_TEST_DATA: "/x", HOME: "/root" };
    expect(loadConfig({ env })).toEqual(configWith());
  });

  it("puts the key store into the data folder by default", () => {
    expect(keysFileOf(configWith())).toBe("tonwire-keys.json");
    expect(keysFileOf(configWith({ data: "/srv/ton" }))).toBe("/srv/ton/keys.json");
    expect(keysFileOf(configWith({ data: "/srv/ton", keysFile: "/etc/keys.json" }))).toBe("/etc/keys.json");
  });
});

describe("a start is stopped by", () => {
  it.each([
    ["PORT", "http", "an integer from 0 to 65535"],
    ["PORT", "65536", "an integer from 0 to 65535"],
    ["PORT", "-1", "an integer from 0 to 65535"],
    ["PORT", "1.5", "an integer from 0 to 65535"],
    ["TONWIRE_NETWORK", "mainet", "devnet, mainnet, testnet"],
    ["TONWIRE_GLOBAL_CONFIG_URL", "on", "a URL that starts with https:// or http://, or off"],
    ["TONWIRE_ANONYMOUS_RPS", "none", "an integer from 1 to 1000000, or unlimited"],
    ["TONWIRE_ANONYMOUS_RPS", "0", "an integer from 1 to 1000000, or unlimited"],
    ["TONWIRE_LOG_SAMPLE", "2", "a number from 0 to 1"],
    ["TONWIRE_LOG_SAMPLE", "1e-1", "a number from 0 to 1"],
    [
      "TONWIRE_TRUST_PROXY",
      "10.0.0.0/33",
      "a number of proxies from 0 to 16, or a comma-separated list of CIDR networks such as 10.0.0.0/8,fd00::/8",
    ],
  ])("%s=%s, with the name, the value and the allowed values", (name, value, allowed) => {
    expect(problemsOf({ env: { [name]: value } })).toEqual([`${name} is "${value}"; allowed: ${allowed}`]);
  });

  it("a bad flag and a bad member of the file, each by the name it has there", () => {
    const config = file({ maxBatch: "many", callTimeoutMs: true });
    expect(problemsOf({ flags: { config, adminPort: "x" } })).toEqual([
      `maxBatch in ${config} is "many"; allowed: an integer from 1 to 10000`,
      `callTimeoutMs in ${config} is true; allowed: an integer from 100 to 600000`,
      '--admin-port is "x"; allowed: an integer from 0 to 65535',
    ]);
  });

  it("a variable or member that does not exist", () => {
    const [variable] = problemsOf({ env: { TONWIRE_ADMINPORT: "1" } });
    expect(variable).toMatch(
      /^unknown variable TONWIRE_ADMINPORT \("1"\); allowed: HOST, PORT, TONWIRE_PUBLIC_URL, TONWIRE_ADMIN_PORT,/,
    );
    const config = file({ ports: 1, __proto__x: 1 });
    const [member, other] = problemsOf({ flags: { config } });
    expect(member).toMatch(
      /tonwire\.json has an unknown member ports \(1\); allowed: host, port, publicUrl, adminPort,/,
    );
    expect(other).toContain("__proto__x");
    expect(problemsOf({ flags: { config: file('{"__proto__": 1}') } })).toHaveLength(1);
  });

  it("a configuration file that is not there, no JSON or no object", () => {
    expect(problemsOf({ flags: { config: "/nowhere.json" } })[0]).toContain(
      "/nowhere.json cannot be used: ENOENT",
    );
    expect(problemsOf({ flags: { config: file("{") } })[0]).toContain("cannot be used");
    expect(problemsOf({ flags: { config: file([]) } })[0]).toContain("must contain a JSON object");
  });

  it("a bad secret, without showing it", () => {
    const redis = problemsOf({ env: { REDIS_URL: "http://user:hunter2@host" } });
    expect(redis).toEqual(["REDIS_URL is ***; allowed: a URL that starts with redis:// or rediss://"]);
    const key = problemsOf({ env: { TONWIRE_DEVNET_KEY: "hunter '2'" } });
    expect(key).toEqual([
      "TONWIRE_DEVNET_KEY is ***; allowed: 1 to 256 ASCII characters without spaces and '",
    ]);
    expect(problemsOf({ env: { TONWIRE_DEVNET_KEYS: "hunter2" } })[0]).not.toContain("hunter2");
    const fork = problemsOf({ flags: { forkUrl: "ftp://ann:hunter2@host" } });
    expect(fork).toEqual(["--fork-url is ***; allowed: a URL that starts with https:// or http://"]);
    const broken = problemsOf({ flags: { config: file('{"a":hunter2}') } })[0];
    expect(broken).toMatch(/cannot be used: Unexpected token 'h' in JSON$/);
    const urls = ["postgres://one/ton,http://user:hunter2@two", Array(17).fill("postgres://one").join()];
    for (const list of urls)
      expect(problemsOf({ env: { DATABASE_READ_URLS: list } })).toEqual([
        "DATABASE_READ_URLS is ***; allowed: a comma-separated list of up to 16, each a URL that starts with postgres:// or postgresql://",
      ]);
  });
});

it("the effective configuration is printed with secrets masked", () => {
  const config = loadConfig({
    flags: { port: "9000" },
    env: {
      REDIS_URL: "redis://:hunter2@host",
      DATABASE_URL: "postgres://user:hunter2@db.example:5433/ton?sslmode=require&sslpassword=hunter2",
      DATABASE_READ_URLS: "postgres://reader:hunter2@one:6432/ton, postgres://reader@two/ton",
      TONWIRE_DEVNET_KEY: "hunter2",
      TONWIRE_FORK_URL: "https://ann:hunter2@one.example/api/v2?api_key=hunter2&a=b",
      TONWIRE_DATA: "/srv/ton",
    },
  });
  const printed = printConfig(config);
  expect(printed).not.toContain("hunter2");
  expect(JSON.parse(printed)).toEqual({
    ...JSON.parse(printConfig(configWith())),
    port: 9000,
    data: "/srv/ton",
    devnetKey: "***",
    forkUrl: "https://ann:***@one.example/api/v2?api_key=***&a=b",
    redisUrl: "redis://:***@host",
    databaseUrl: "postgres://user:***@db.example:5433/ton?sslmode=require&sslpassword=***",
    databaseReadUrls: ["postgres://reader:***@one:6432/ton", "postgres://reader@two/ton"],
  });
});
