import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parseGlobalConfig } from "../../server/chain/liteservers/global-config.js";
import { variants } from "../helpers/effort.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { startService, type TestService } from "../helpers/services/service.js";
import { copyStoryChain } from "../helpers/stories/story-devnet.js";
import { until } from "../helpers/until.js";

// Clients that believe nothing follow the signatures of a devnet's blocks from the key block that its written
// configuration names. Only our own needs no other software; the others are the scripts in this folder.

const here = import.meta.dirname;
const run = promisify(execFile);
const timeout = 120_000;

/** The Python to run scripts with; whether it has pytoniq is found out by importing it. */
const python = process.env["TONWIRE_TEST_PYTHON"] ?? "python3";

function hasPytoniq(): boolean {
  try {
    execFileSync(python, ["-c", "import pytoniq"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const tonutils = "github.com/xssnick/tonutils-go@v1.12.0";

/** A program made from the script in this folder; `undefined` without Go or the module, as nothing is downloaded. */
function buildTonutils(folder: string): string | undefined {
  const env = { ...process.env, GOFLAGS: "-mod=mod", GOPROXY: "off", GOSUMDB: "off" };
  const go = (...args: string[]) => execFileSync("go", args, { cwd: folder, env, stdio: "ignore" });
  try {
    copyFileSync(join(here, "ask_with_tonutils.go"), join(folder, "main.go"));
    go("mod", "init", "ask");
    go("get", tonutils);
    go("build", "-o", "ask");
    return join(folder, "ask");
  } catch {
    return undefined;
  }
}

/** A data folder with the story, which takes seconds to make. */
async function withStory(): Promise<string> {
  const data = folderInRun("tonwire-strict-");
  await copyStoryChain(data);
  return data;
}

let programs: string;
let tonutilsProgram: string | undefined;
beforeAll(() => {
  programs = mkdtempSync(join(tmpdir(), "tonwire-test-"));
  tonutilsProgram = buildTonutils(programs);
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));

// An electing devnet is taken through five sets of validators, three phases each.
describe.each(
  variants<{ of: string; elections: "off" | "short"; phases: number }>(
    [{ of: "a devnet", elections: "off", phases: 0 }],
    [{ of: "a devnet that has elected five sets of validators", elections: "short", phases: 15 }],
  ),
)("the configuration that $of writes", ({ elections, phases }) => {
  let folder: string;
  let devnet: TestService;
  let globalConfig: string;
  let faucet: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tonwire-test-"));
    globalConfig = join(folder, "devnet.json");
    devnet = await startService({
      liteserverPort: 0,
      liteserverConfig: globalConfig,
      story: true,
      ...(elections === "off" && { data: await withStory() }),
      // tonutils-go waits for a further block.
      mining: "interval",
      clock: "wall",
      devnetElections: elections,
    });
    for (let phase = 0; phase < phases; phase++) await devnet.rpc("devnet.skipPhase");
    const { result } = (await devnet.rpc("devnet.info")) as { result: { faucet: { address: string } } };
    faucet = result.faucet.address;
  });
  afterAll(async () => {
    await devnet.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a service that reads the devnet as any network, and waits for the head. */
  async function follow(seqno: number): Promise<void> {
    const service = await startService({ network: "testnet", globalConfig, anonymousRps: "unlimited" });
    onTestFinished(() => service.close());
    await until("the head", async () => {
      const { json } = await service.get("/api/v2/getMasterchainInfo", { key: null });
      return ((json as { result?: { last: { seqno: number } } }).result?.last.seqno ?? 0) >= seqno;
    });
    const path = `/api/v2/getAddressBalance?address=${faucet}`;
    expect((await service.get(path, { key: null })).json).toMatchObject({ ok: true });
  }

  it("names block 1, a key block, as init_block", async () => {
    const { initBlock, zeroState } = parseGlobalConfig(readFileSync(globalConfig, "utf8"));
    const params = { workchain: -1, shard: "-9223372036854775808", seqno: 1 };
    const { result } = (await devnet.rpc("getBlockHeader", params)) as {
      result: { is_key_block: boolean; id: { root_hash: string } };
    };
    expect(result.is_key_block).toBe(true);
    expect(initBlock!.seqno).toBe(1);
    expect(Buffer.from(initBlock!.rootHash).toString("base64")).toBe(result.id.root_hash);
    expect(zeroState.seqno).toBe(0);
  });

  it("lets a service that verifies every answer follow the devnet", () => follow(40));

  it(
    "lets pytoniq follow the devnet with trust level 0",
    async ({ skip }) => {
      if (!hasPytoniq()) skip("pip install pytoniq, or name a Python that has it in TONWIRE_TEST_PYTHON");
      const { stdout } = await run(python, [join(here, "ask_with_pytoniq.py"), globalConfig], {
        timeout,
        // It keeps the blocks that it trusts in the working directory.
        cwd: folder,
      });
      expect(stdout).toMatch(/^head \d+/m);
      expect(stdout).toContain("transactions of block 3");
    },
    timeout,
  );

  it(
    "lets tonutils-go follow the devnet with its policy Secure",
    async ({ skip }) => {
      if (tonutilsProgram === undefined) return skip(`needs Go with ${tonutils} in its module cache`);
      const asking = run(tonutilsProgram, [globalConfig, faucet], { timeout });
      // The next block of a devnet with nothing to do comes after seconds.
      asking.child.stdout!.on("data", (text) => {
        if (String(text).includes("seqno")) void devnet.rpc("devnet.mine");
      });
      const { stdout } = await asking;
      expect(stdout).toMatch(/^head \d+/);
      expect(stdout).toMatch(/waited for \d+/);
    },
    timeout,
  );

  it("is still right after a reset", async () => {
    await devnet.rpc("devnet.reset");
    await devnet.rpc("devnet.mine", { blocks: 3 });
    await follow(4);
  });
});
