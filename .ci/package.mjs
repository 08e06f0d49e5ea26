// The packages as users get them: packed, linted, installed into empty projects, imported and started from there. With the path of a folder,
// the packed files are kept there; if it has them already, they are only installed and used, by this version of Node.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { linksOf } from "./markdown.mjs";
import { pack, packages, stage } from "./packages.mjs";
import { top } from "./readmes.mjs";

const { version, devDependencies } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const scratch = mkdtempSync(join(tmpdir(), "tonwire-package-"));
const project = join(scratch, "project");
const destination = resolve(process.argv[2] ?? scratch);
/** If it has packages, another version of Node has checked their files and types, which do not depend on the version. */
const arePacked = existsSync(join(destination, tarballName("tonwire-server")));

/** Limits of an installation: for a front end, and for a project with the service. */
const most = { packages: 3, bytes: 2_550_000 };
// 25 MB are the first blocks of a devnet and their index, with which each start is four times as quick.
const mostWithService = { packages: 15, bytes: 95_000_000 };

function tarballName(name) {
  return `${name}-${version}.tgz`;
}

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
import { injectDevnetWallet, type TonConnectBridge } from "tonwire/devnet/wallet";
import { actionText } from "tonwire/text";
import { createVerifiedClient } from "tonwire/verified";
import { withTvm } from "tonwire/verified/tvm";

export const devnet = startDevnet({ mining: "manual", story: false });
export const mined: Promise<number> = devnet.then(({ mine }) => mine(2));
// @ts-expect-error there is no such mining mode
startDevnet({ mining: "never" });
const client: Client = createClient({ transport: fallback([http("http://a/jsonRPC"), webSocket("ws://b/jsonRPC")]) });
export const injected: Promise<string> = injectDevnetWallet({ client, approve: () => true }).then(({ key }) => key);
export const isWalletBrowser = (bridge: TonConnectBridge): boolean => bridge.isWalletBrowser;
export const balance: Promise<string> = client.getAddressBalance({ address: "a" });
export const same: Promise<string> = getAddressBalance(client, { address: "a" });
export const seqno = client.getMasterchainInfo().then(({ last }): number => last.seqno);
const verified = createVerifiedClient({ transport: http("http://a/jsonRPC"), network: "mainnet" });
const tvm = withTvm(verified, { wasm: "/emulator.wasm", script: "/emulator.js" });
export const exit = tvm.runGetMethod({ address: "a", method: "seqno", stack: [] }).then(({ exit_code }): number => exit_code);
export const items: bigint | object | null | undefined = stack.decode([])[0];
export const listed = rows(async (_: { limit?: number; offset?: number }) => [1]);
export const wrapped = new TonClient({ client });
export const known: boolean = isRpcError(undefined, "rate-limited");
export const texts = client.v3
  .actions({})
  .then(({ actions, ...names }) => actions.map((action) => actionText(action, names).text));
// @ts-expect-error there is no such icon
export const icon = (...all: Parameters<typeof actionText>): "rocket" => actionText(...all).preview.icon;
// @ts-expect-error a parameter is missing
client.getAddressBalance({});
`;

/** Links of packed documents to files that are not packed. */
function deadLinks(paths) {
  // Links that work in a checkout only.
  const known = new Set([...paths, "ARCHITECTURE.md", "CONTRIBUTING.md", "server/web/explorer/explorer.png"]);
  return paths
    .filter((path) => path.endsWith(".md"))
    .flatMap((file) =>
      linksOf(readFileSync(join(top, file), "utf8"))
        .filter(({ path }) => path !== "" && !known.has(join(dirname(file), path)))
        .map(({ path }) => `${file} links to ${path}`),
    );
}

/** Imports of packages that the client neither depends on nor names as peers. */
function undeclaredImports(folder) {
  const { manifest } = packages.tonwire;
  const declared = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
  const files = readdirSync(folder, { recursive: true }).filter((path) => /\.c?[jt]s$/.test(path));
  return files.flatMap((path) =>
    [
      ...readFileSync(join(folder, path), "utf8").matchAll(
        /(?:from|import|require\()\s*\(?"([@a-z][@\w./-]*)"/g,
      ),
    ]
      .filter(([, name]) => !declared.some((each) => name === each || name.startsWith(`${each}/`)))
      .map(([, name]) => `${path} imports ${name}`),
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

/** The first steps of a newcomer: start it, paste the call it prints, stop it. */
async function firstCall() {
  const command = join(project, "node_modules", ".bin", "tonwire");
  const service = spawn(command, ["--port", "0", "--admin-port", "0", "--anonymous-rps", "100"], {
    cwd: project,
  });
  let printed = "";
  for (const stream of [service.stdout, service.stderr]) stream.on("data", (text) => (printed += text));
  const ended = once(service, "exit");
  const deadline = setTimeout(() => service.kill("SIGKILL"), 60_000);
  while (!/curl .*\n/.test(printed) && service.exitCode === null)
    await Promise.race([once(service.stdout, "data"), ended]);
  const [, key, url] = /curl -H 'X-API-Key: (.*)' '(.*)'/.exec(printed) ?? [];
  const answer = url && (await (await fetch(url, { headers: { "X-API-Key": key } })).json());
  expect("the call that the start prints is answered", answer?.ok === true, printed);
  const limited = url && (await fetch(url));
  expect("so is a caller with a limit", limited?.ok && limited.headers.has("RateLimit-Policy"), printed);
  const documents = url && (await fetch(new URL("/docs/server/devnet", url)));
  expect("the package has the documents that it shows", documents?.status === 200, printed);
  service.kill("SIGTERM");
  const [code] = await ended;
  clearTimeout(deadline);
  expect("SIGTERM ends it with 0", code === 0, printed);
}

const entriesOf = (name) => Object.entries(packages[name].manifest.exports);
const isDual = ([, entry]) => JSON.stringify(entry).includes('"require"');

/** The packed file of a package, which is linted when it is made. */
function packed(name) {
  if (arePacked) return join(destination, tarballName(name));
  const folder = join(scratch, name);
  stage(name, folder);
  const { tarball, paths } = pack(folder, destination);
  const dead = deadLinks(paths);
  expect(`documents of ${name} link to what is in it`, dead.length === 0, dead.join("\n"));
  run(`publint ${name}`, top, "npx", ["--no-install", "publint", "--strict", tarball]);
  // Most entries exist as ES modules and as CommonJS, the rest as ES modules only.
  const dual = entriesOf(name)
    .filter(isDual)
    .map(([entry]) => entry);
  const attw = (profile, which) => {
    const given = ["--no-install", "attw", "--profile", profile, which, ...dual, "--", tarball];
    run(`types of ${name} resolve (attw ${profile})`, top, "npx", given);
  };
  attw("strict", "--entrypoints");
  attw("esm-only", "--exclude-entrypoints");
  return tarball;
}

/** Installs into an empty project. */
function install(folder, ...what) {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  run(`install into an empty ${what.length > 1 ? "project" : "front end"}`, folder, "npm", [
    "install",
    "--no-audit",
    "--no-fund",
    ...what,
  ]);
}

/** Contents of a project's node_modules: names of packages, and bytes of their files. */
function installed(folder) {
  const { packages: all } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const names = Object.keys(all).filter((path) => path !== "");
  const scripts = names.filter((path) => all[path].hasInstallScript);
  const files = readdirSync(join(folder, "node_modules"), { recursive: true });
  const sizes = files
    .map((path) => lstatSync(join(folder, "node_modules", path)))
    .filter((each) => each.isFile());
  return { names, scripts, bytes: sizes.reduce((sum, { size }) => sum + size, 0) };
}

try {
  mkdirSync(destination, { recursive: true });
  const [client, server] = ["tonwire", "tonwire-server"].map(packed);

  const frontEnd = join(scratch, "front-end");
  install(frontEnd, client);
  const { names, bytes } = installed(frontEnd);
  console.log(`     a front end installs ${names.length} packages, ${bytes} bytes`);
  expect(
    "a front end does not install the service",
    names.length <= most.packages && bytes <= most.bytes,
    names.join("\n"),
  );

  const undeclared = undeclaredImports(join(frontEnd, "node_modules", "tonwire", "dist"));
  expect("a front end imports what it installs", undeclared.length === 0, undeclared.join("\n"));

  const alone = spawnSync(process.execPath, ["-e", 'import("tonwire/devnet")'], {
    cwd: frontEnd,
    encoding: "utf8",
  });
  expect(
    "without it, the devnet names what is missing",
    /find package 'tonwire-server'/.test(alone.stderr),
    alone.stderr,
  );

  const peers = ["@ton/core", "@ton/crypto"].map((name) => `${name}@${devDependencies[name]}`);
  install(project, client, server);
  const service = installed(project);
  console.log(`     the service brings ${service.names.length} packages, ${service.bytes} bytes`);
  expect(
    "the service installs little, and nothing that runs a script",
    service.names.length <= mostWithService.packages &&
      service.bytes <= mostWithService.bytes &&
      service.scripts.length === 0,
    service.names.join("\n"),
  );
  run("install what programs of @ton/ton have", project, "npm", [
    "install",
    "--no-audit",
    "--no-fund",
    ...peers,
  ]);

  const entries = Object.keys(packages)
    .flatMap((name) => entriesOf(name).map(([entry, target]) => [entry.replace(/^\./, name), target]))
    .filter(([name]) => !name.endsWith("/package.json"));
  for (const [name] of entries) {
    const script = `const all = await import(${JSON.stringify(name)}); console.log(Object.keys(all).length)`;
    const names = run(`import "${name}"`, project, process.execPath, ["--input-type=module", "-e", script]);
    expect(`"${name}" exports something`, Number(names) > 0, names);
  }
  for (const [name] of entries.filter(isDual)) {
    const script = `console.log(Object.keys(require(${JSON.stringify(name)})).length)`;
    const names = run(`require "${name}"`, project, process.execPath, [
      "--input-type=commonjs",
      "-e",
      script,
    ]);
    expect(`"${name}" as CommonJS exports something`, Number(names) > 0, names);
  }
  if (!arePacked) compileConsumers();
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
  const asks = status === 2 && stderr.includes("npm install ioredis");
  expect("a start with REDIS_URL asks for ioredis", asks, stderr);
} catch (error) {
  if (process.exitCode !== 1) throw error;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
