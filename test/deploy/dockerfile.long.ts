import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { dockerfile } from "../helpers/deploy/deployed-files.js";
import { freePort } from "../helpers/free-port.js";
import { until } from "../helpers/until.js";
import { Image } from "./image.js";

const slow = { timeout: 1_800_000 };
const canMount =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
if (!canMount) console.warn("The build of the Dockerfile is skipped: only root on Linux can mount folders.");

describe.runIf(canMount)("the Dockerfile", () => {
  const stages = new Map<string, Image>();
  let image: Image | undefined;
  let entrypoint: string[] = [];
  let command: string[] = [];
  let health: string[] = [];
  afterAll(() => {
    for (const each of stages.values()) each.remove();
  });

  const execute: Record<string, (rest: string) => void | Promise<void>> = {
    ARG: (rest) => expect(rest).toMatch(/^NODE_IMAGE=node:\d+-\w+-slim$/),
    FROM: (rest) => {
      const [, name = "last"] = /^\$\{NODE_IMAGE\}(?: AS (\w+))?$/.exec(rest)!;
      image = new Image();
      stages.set(name, image);
    },
    WORKDIR: (rest) => image!.workdir(rest),
    COPY: (rest) => {
      const [, stage, from, to] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest)!;
      if (stage === undefined) image!.copyContext(from!, to!);
      else image!.copyFrom(stages.get(stage)!, from!, to!);
    },
    RUN: async (rest) => {
      const { code, output } = await image!.run(["/bin/sh", "-c", rest]);
      expect(code, `${rest}\n${output}`).toBe(0);
    },
    USER: (rest) => image!.user(rest),
    ENV: (rest) => image!.env(rest),
    VOLUME: () => {},
    EXPOSE: () => {},
    HEALTHCHECK: (rest) => {
      health = JSON.parse(rest.slice(rest.indexOf("CMD ") + 4));
    },
    ENTRYPOINT: (rest) => {
      entrypoint = JSON.parse(rest);
    },
    CMD: (rest) => {
      command = JSON.parse(rest);
    },
  };

  it("builds, instruction by instruction", slow, async () => {
    for (const [instruction, rest] of dockerfile()) await execute[instruction]!(rest);
    const run = await image!.run(["ls", "-ld", "/data", "/keys"]);
    expect(run.output).toMatch(/^drwx------ \d+ node .* \/data\ndrwx------ \d+ node .* \/keys\n$/);
  });

  it("makes an image that starts, becomes healthy, has the client of Redis, and stops", slow, async () => {
    const env = { PORT: String(await freePort()), TONWIRE_ADMIN_PORT: String(await freePort()) };
    const service = image!.start([...entrypoint, ...command], env);
    onTestFinished(() => void service.kill("SIGKILL"));
    let output = "";
    for (const stream of [service.stdout!, service.stderr!])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    const isHealthy = async () => service.exitCode !== null || (await image!.run(health, env)).code === 0;
    await until(() => `health of:\n${output}`, isHealthy);
    expect([service.exitCode, output]).toEqual([null, expect.stringContaining("serves devnet")]);
    const { output: keys } = await image!.run([...entrypoint, "keys", "list"], env);
    expect(keys).not.toContain("EACCES");
    const imported = ["node", "--input-type=module", "--eval", 'await import("ioredis")'];
    image!.workdir("/app");
    expect(await image!.run(imported)).toEqual({ code: 0, output: "" });
    service.kill("SIGTERM");
    expect(await once(service, "exit")).toEqual([0, null]);
  });
});
