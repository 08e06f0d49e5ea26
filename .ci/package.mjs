// The package as users get it: packed, linted, installed into an empty project, imported and started from there.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const top = dirname(import.meta.dirname);
const { version, exports } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
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
  run("publint", top, "npx", ["--no-install", "publint", "--strict", tarball]);
  run("types resolve (attw)", top, "npx", ["--no-install", "attw", "--profile", "esm-only", tarball]);

  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  run("install into an empty project", project, "npm", ["install", "--no-audit", "--no-fund", tarball]);

  for (const entry of Object.keys(exports).filter((name) => name !== "./package.json")) {
    const name = entry.replace(/^\./, "tonwire");
    const script = `const all = await import(${JSON.stringify(name)}); console.log(Object.keys(all).length)`;
    const names = run(`import "${name}"`, project, process.execPath, ["--input-type=module", "-e", script]);
    expect(`"${name}" exports something`, Number(names) > 0, names);
  }
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
