// The package as users get it: packed, linted, installed into an empty project, imported and started from there.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { linksOf } from "./markdown.mjs";

const top = dirname(import.meta.dirname);
const { version, exports, devDependencies } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const dual = Object.keys(exports).filter((entry) => JSON.stringify(exports[entry]).includes('"require"'));
const scratch = mkdtempSync(join(tmpdir(), "tonwire-package-"));
const project = join(scratch, "project");

function run(title, cwd, command, args) {
  try {
    const output = execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    console.log(`ok   ${title}`);
    return output;
  } catch (error) {
    console.error(`FAIL ${title}\n${error.stdout ?? ""}${error.stderr ?? error.message}`);
    process.exitCode = 1;
    throw error;
  }
}

function expect(title, condition, seen) {
  console.log(`${condition ? "ok  " : "FAIL"} ${title}`);
  if (condition) return;
  console.error(seen);
  process.exitCode = 1;
}

const consumer = `
import { createClient, fallback, http, isRpcError, rows, stack, webSocket, type Client } from "tonwire";
import { getAddressBalance } from "tonwire/methods";
import { TonClient } from "tonwire/ton";
import { startDevnet } from "tonwire/devnet";

export const devnet = startDevnet({ mining: "manual", story: false });
export const mined: Promise<number> = devnet.then(({ mine }) => mine(2));
// @ts-expect-error there is no such mining mode
startDevnet({ mining: "never" });
const client: Client = createClient({ transport: fallback([http("http://a/jsonRPC"), webSocket("ws://b/jsonRPC")]) });
export const balance: Promise<string> = client.getAddressBalance({ address: "a" });
export const same: Promise<string> = getAddressBalance(client, { address: "a" });
export const seqno = client.getMasterchainInfo().then(({ last }): number => last.seqno);
export const items: bigint | object | null | undefined = stack.decode([])[0];
export const listed = rows(async (_: { limit?: number; offset?: number }) => [1]);
export const wrapped = new TonClient({ client });
export const known: boolean = isRpcError(undefined, "rate-limited");
// @ts-expect-error a parameter is missing
client.getAddressBalance({});
`;

/** Links of packed documents to files that are not packed. */
function deadLinks(paths) {
  // For those who have a checkout.
  const known = new Set([...paths, "ARCHITECTURE.md", "CONTRIBUTING.md"]);
  return paths
    .filter((path) => path.endsWith(".md"))
    .flatMap((file) =>
      linksOf(readFileSync(join(top, file), "utf8"))
        .filter(({ path }) => path !== "" && !known.has(join(dirname(file), path)))
        .map(({ path }) => `${file} links to ${path}`),
    );
}

/** Programs of others, as ES module and as CommonJS, under the settings they have; their checks reach our types. */
function compileConsumers() {
  for (const name of ["consumer.mts", "consumer.cts", "consumer.ts"])
    writeFileSync(join(project, name), consumer);
  const strict = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--target",
    "es2022",
    "--lib",
    "es2023,dom",
  ];
  const tsc = join(top, "node_modules", ".bin", "tsc");
  const types = ["--types", "node", "--typeRoots", join(top, "node_modules", "@types")];
  const nodenext = ["--module", "nodenext", "consumer.mts", "consumer.cts"];
  const bundler = ["--module", "esnext", "--moduleResolution", "bundler", "consumer.ts"];
  run("a program compiles under nodenext", project, tsc, [
    ...strict,
    ...types,
    "--skipLibCheck",
    ...nodenext,
  ]);
  run("a program compiles under bundler", project, tsc, [...strict, ...types, "--skipLibCheck", ...bundler]);
}

/** What a newcomer does: start it, paste the call it prints, stop it. */
async function firstCall() {
  const command = join(project, "node_modules", ".bin", "tonwire");
  const service = spawn(command, ["--port", "0", "--admin-port", "0"], { cwd: project });
  let printed = "";
  for (const stream of [service.stdout, service.stderr]) stream.on("data", (text) => (printed += text));
  const ended = once(service, "exit");
  const deadline = setTimeout(() => service.kill("SIGKILL"), 60_000);
  while (!/curl .*\n/.test(printed) && service.exitCode === null)
    await Promise.race([once(service.stdout, "data"), ended]);
  const [, key, url] = /curl -H 'X-API-Key: (.*)' '(.*)'/.exec(printed) ?? [];
  const answer = url && (await (await fetch(url, { headers: { "X-API-Key": key } })).json());
  expect("the call that the start prints is answered", answer?.ok === true, printed);
  const documents = url && (await fetch(new URL("/docs/server/devnet", url)));
  expect("the package has the documents that it shows", documents?.status === 200, printed);
  service.kill("SIGTERM");
  const [code] = await ended;
  clearTimeout(deadline);
  expect("SIGTERM ends it with 0", code === 0, printed);
}

try {
  const packed = run("npm pack", top, "npm", ["pack", "--json", "--pack-destination", scratch]);
  const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf("[")));
  const tarball = join(scratch, filename);
  const strays = files
    .map(({ path }) => path)
    .filter((path) => /^(test|\.ci)\/|^dist\/test\/|\.tsbuildinfo$/.test(path));
  expect("only what users need is packed", strays.length === 0, strays.join("\n"));
  const dead = deadLinks(files.map(({ path }) => path));
  expect("documents of the package link to what is in it", dead.length === 0, dead.join("\n"));
  run("publint", top, "npx", ["--no-install", "publint", "--strict", tarball]);
  // The client is there as ES modules and as CommonJS, the rest as ES modules alone.
  const attw = (profile, which) => [
    "--no-install",
    "attw",
    "--profile",
    profile,
    which,
    ...dual,
    "--",
    tarball,
  ];
  run("types of the client resolve (attw)", top, "npx", attw("strict", "--entrypoints"));
  run("types of the rest resolve (attw)", top, "npx", attw("esm-only", "--exclude-entrypoints"));

  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const peers = ["@ton/core", "@ton/crypto"].map((name) => `${name}@${devDependencies[name]}`);
  run("install into an empty project", project, "npm", [
    "install",
    "--no-audit",
    "--no-fund",
    tarball,
    ...peers,
  ]);

  for (const entry of Object.keys(exports).filter((name) => name !== "./package.json")) {
    const name = entry.replace(/^\./, "tonwire");
    const script = `const all = await import(${JSON.stringify(name)}); console.log(Object.keys(all).length)`;
    const names = run(`import "${name}"`, project, process.execPath, ["--input-type=module", "-e", script]);
    expect(`"${name}" exports something`, Number(names) > 0, names);
  }
  for (const entry of dual) {
    const name = entry.replace(/^\./, "tonwire");
    const script = `console.log(Object.keys(require(${JSON.stringify(name)})).length)`;
    const names = run(`require "${name}"`, project, process.execPath, [
      "--input-type=commonjs",
      "-e",
      script,
    ]);
    expect(`"${name}" as CommonJS exports something`, Number(names) > 0, names);
  }
  compileConsumers();
  const said = run("tonwire --version", project, "npx", ["--no-install", "tonwire", "--version"]).trim();
  expect("it names the packed version", said === version, said);
  const printed = run("tonwire --print-config", project, "npx", [
    "--no-install",
    "tonwire",
    "--print-config",
  ]);
  expect("it prints a configuration", JSON.parse(printed).network === "devnet", printed);

  await firstCall();

  // The optional peer is not there: wanting it must end in words, not in a module that is not found.
  const command = join(project, "node_modules", ".bin", "tonwire");
  const env = { ...process.env, REDIS_URL: "redis://127.0.0.1:1" };
  const { status, stderr } = spawnSync(command, { cwd: project, env, encoding: "utf8", timeout: 60_000 });
  expect(
    "a start with REDIS_URL asks for ioredis",
    status === 2 && stderr.includes("npm install ioredis"),
    stderr,
  );
} catch (error) {
  if (process.exitCode !== 1) throw error;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
