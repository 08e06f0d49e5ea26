import { execFile } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { type EmptyProject, emptyProject } from "./helpers/empty-project.js";

// The project that `tonwire new counter` of the packed packages writes, with these packages installed.

const execute = promisify(execFile);
let project: EmptyProject;
let printed: string;
beforeAll(async () => {
  project = await emptyProject([], async (folder) => {
    const named = { "tonwire-server": "file:../tonwire-server-0.1.0.tgz" };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ devDependencies: named }));
    const main = join(folder, "node_modules/tonwire-server/dist/server/main.js");
    const made = join(folder, "counters");
    ({ stdout: printed } = await execute(process.execPath, [main, "new", "counter", "counters"], {
      cwd: folder,
    }));
    renameSync(join(folder, "node_modules"), join(made, "node_modules"));
    renameSync(made, `${folder}-made`);
    renameSync(folder, `${folder}-before`);
    renameSync(`${folder}-made`, folder);
  });
});
afterAll(() => project?.remove());

describe("tonwire new counter", () => {
  it("names the packages by the files that tonwire was installed from", () => {
    expect(printed).toMatch(/^Wrote .*counters\. Next, in that folder:\n {2}npm install\n {2}npm test\n$/);
    const { name, dependencies, devDependencies } = manifest(project.folder);
    expect(name).toBe("counters");
    const from = dirname(project.folder);
    expect([dependencies["tonwire"], devDependencies["tonwire-server"]]).toEqual([
      `file:${from}/tonwire-0.1.0.tgz`,
      `file:${from}/tonwire-server-0.1.0.tgz`,
    ]);
  });

  it("names the versions of other packages that it is tried with", () => {
    const { dependencies, devDependencies } = manifest(project.folder);
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
      if (!name.startsWith("tonwire"))
        expect([name, range]).toEqual([
          name,
          `^${manifest(join(project.folder, "node_modules", name)).version}`,
        ]);
  });

  it("compiles, has no type errors, and its tests pass", async () => {
    await project.node("compile.mjs");
    await project.run("tsc", []);
    expect(await project.run("vitest", ["run", "--no-color", "--testTimeout=60000"])).toMatch(
      /Tests +2 passed/,
    );
  });

  describe("with a devnet", () => {
    let service: DevnetService;
    beforeAll(async () => {
      service = await startDevnetService({ mining: "message" });
    });
    afterAll(() => service?.close());

    it.each(["v4r2", "v5r1"])("deploys the counter from a wallet %s and increases it", async (version) => {
      const id = version === "v4r2" ? "1" : "2";
      const env = { TON_URL: service.url, WALLET_VERSION: version, COUNTER_ID: id };
      const deploy = () => project.run("tsx", ["scripts/deploy.ts"], env);
      expect(await deploy()).toMatch(/^EQ\S+ counts 1\n$/);
      expect(await deploy()).toMatch(/ counts 2\n$/);
    });
  });
});

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
