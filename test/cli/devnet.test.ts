import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetMethods } from "../../shared/methods/devnet.js";
import { examplesIn } from "../helpers/readmes.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { ranCommand } from "../helpers/services/ran-command.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const someone = `0:${"ab".repeat(32)}`;

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService();
});
afterAll(() => service?.close());

const devnet = (...args: string[]) => ranCommand("devnet", ...args, "--url", service.url);

describe("tonwire devnet", () => {
  it("has a command for each method, described as the method is", async () => {
    const { printed } = await devnet("--help");
    for (const [name, { summary }] of Object.entries(devnetMethods)) {
      expect(printed.join("\n").replace(/\s+/g, " ")).toContain(`${summary} (devnet.${name})`);
    }
  });

  it("shows results as lines and tables, or as JSON", async () => {
    const { code, printed, errors } = await devnet("mine", "2");
    expect([code, errors]).toEqual([0, []]);
    expect(printed).toEqual([
      expect.stringMatching(/^block {4}\d+ of workchain -1, [\w+/=]{44}$/),
      "mined    2",
      "settled  true",
    ]);
    const wallets = await devnet("wallets");
    expect(wallets.printed[0]).toMatch(/^ADDRESS +NAME +TYPE +MNEMONIC +BALANCE$/);
    expect(wallets.printed).toHaveLength(8);
    expect(wallets.printed[1]).toMatch(/^0:[0-9A-F]{64} {2}Ann {3}v3r2 {2}(\w+ ){24} *10,000 TON$/);
    expect((await devnet("wallets", "--json")).json()).toEqual(
      (await service.run<{ wallets: unknown[] }>("devnet.info")).wallets,
    );
    const info = await devnet("info");
    expect(info.printed).toContainEqual(expect.stringMatching(/^mining\.mode +manual$/));
    const contracts = ["contracts:", "none", "", "names:", "none"];
    expect(info.printed.slice(info.printed.indexOf("contracts:"))).toEqual(contracts);
  });

  it("takes required parameters by place, and others by name", async () => {
    const other = `0:${"cd".repeat(32)}`;
    await devnet("faucet", someone, "7000000000");
    await devnet("faucet", other, "--amount", "2000000000");
    expect(await service.run("getAddressBalance", { address: someone })).toBe("7000000000");
    expect(await service.run("getAddressBalance", { address: other })).toBe("2000000000");
    const message = ["--bounce", "false", "--body", "te6cckEBAQEAAgAAAEysuc0="];
    expect((await devnet("impersonate", someone, someone, "5", ...message)).code).toBe(0);
    const now = await service.run<{ now: number }>("devnet.info");
    expect((await devnet("time", String(now.now + 100), "--json")).json()).toEqual({ now: now.now + 100 });
    expect((await devnet("snapshot", "mine")).printed[0]).toBe("id     mine");
    expect((await devnet("revert", "mine")).code).toBe(0);
    expect((await devnet("snapshots")).printed).toEqual([
      expect.stringMatching(/^ID +SEQNO$/),
      expect.any(String),
    ]);
  });

  it("exports the state to a file and imports it from there", async () => {
    const file = join(temporaryFolder(), "chain.state");
    expect((await devnet("export", file)).printed.at(-1)).toBe(`bytes  ${readFileSync(file).length}`);
    const { last } = await service.run<{ last: object }>("getMasterchainInfo");
    await service.mine(3);
    expect((await devnet("import", file)).code).toBe(0);
    expect(await service.run("getMasterchainInfo")).toMatchObject({ last });
    writeFileSync(file, "else");
    const refused = await devnet("import", file);
    expect([refused.code, refused.errors]).toEqual([
      1,
      ["tonwire: devnet.importState: this is not a state file of a devnet"],
    ]);
  });

  it("reads bytes from a file", async () => {
    const file = join(temporaryFolder(), "data.boc");
    writeFileSync(file, Buffer.from("te6cckEBAQEAAgAAAEysuc0=", "base64"));
    expect((await devnet("set-data", someone, `@${file}`)).code).toBe(0);
    expect((await devnet("set-data", someone, `@${file}x`)).errors[0]).toContain("cannot be read: ENOENT");
  });

  it("reports invalid input, and changes nothing", async () => {
    const before = await service.run("getMasterchainInfo");
    const of = async (...args: string[]) => {
      const { code, errors } = await devnet(...args);
      return [code, errors.join("\n")];
    };
    expect(await of("revert", "nobody")).toEqual([1, "tonwire: devnet.revert: there is no snapshot nobody"]);
    expect(await of("faucet")).toEqual([2, "error: missing required argument 'address'"]);
    expect(await of("mine", "many")).toEqual([1, expect.stringContaining("tonwire: devnet.mine: ")]);
    expect(await of("frobnicate")).toEqual([2, "error: unknown command 'frobnicate'"]);
    expect(await of("impersonate", someone, someone, "1", "--bounce", "maybe")).toEqual([
      2,
      expect.stringContaining("Allowed: true, false."),
    ]);
    expect(await service.run("getMasterchainInfo")).toEqual(before);
  });

  it("reports that no service answers", async () => {
    const { code, errors } = await ranCommand("devnet", "info", "--url", "http://127.0.0.1:1");
    expect(code).toBe(1);
    expect(errors).toEqual([
      expect.stringMatching(/^tonwire: no service answers at http:\/\/127.0.0.1:1\/jsonRPC; /),
    ]);
  });

  it("has the commands that the README shows", async () => {
    const commands = examplesIn("server/devnet/README.md", "sh")
      .flatMap((code) => code.split("\n"))
      .filter((line) => line.startsWith("tonwire devnet "))
      .map((line) => line.split(" ").slice(2));
    expect(commands.map(([name]) => name)).toContain("faucet");
    for (const command of commands) {
      const given = command.map((word) => (word === "chain.state" ? join(temporaryFolder(), word) : word));
      expect(await devnet(...given)).toMatchObject({ code: 0, errors: [] });
    }
  });
});
