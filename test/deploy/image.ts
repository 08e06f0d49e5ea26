import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { folder, textOf } from "../helpers/deploy/deployed-files.js";
import { folderInRun } from "../helpers/once-per-run.js";

const context = join(folder, "..");

/** Folders that every image takes from the machine. Programs of Node are below the first folder of Node's path. */
const machine = "bin dev etc home lib lib32 lib64 libx32 opt proc root run sbin sys tmp usr var".split(" ");

const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
const certificates = authorities === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorities };

/**
 * Gives a command a folder as its root, with the machine's folders mounted: folders with the machine's programs and
 * settings are read-only. Its arguments: that folder, one with files of users, user, working directory, the machine's
 * folders, --, command.
 */
const enter = `
root=$1; users=$2; user=$3; cwd=$4; shift 4
while [ "$1" != -- ]; do
  case $1 in
  proc | dev | sys) mount --rbind "/$1" "$root/$1" ;;
  *) mount --bind "/$1" "$root/$1" ;;
  esac
  case $1 in
  bin | etc | lib* | opt | sbin | usr | var) mount -o remount,bind,ro "$root/$1" ;;
  esac
  shift
done
shift
for each in passwd group; do mount --bind "$users/$each" "$root/etc/$each"; done
exec chroot --userspec="$user" "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$cwd" "$@"
`;

/** An image that is built in a folder, instruction by instruction. */
export class Image {
  readonly #root = folderInRun("tonwire-image-");
  readonly #users = folderInRun("tonwire-image-");
  readonly #mounted: string[];
  readonly #env: Record<string, string> = {};
  #cwd = "/";
  #user = "root";

  constructor() {
    chmodSync(this.#root, 0o755);
    const ofNode = process.execPath.split("/")[1]!;
    this.#mounted = [...new Set([...machine, ofNode])].filter((name) => existsSync(`/${name}`));
    for (const name of this.#mounted) mkdirSync(join(this.#root, name));
    // As the images of Node have them.
    this.#writeUsers("passwd", "node:x:1000:1000::/home/node:/bin/sh");
    this.#writeUsers("group", "node:x:1000:");
  }

  remove(): void {
    for (const each of [this.#root, this.#users]) rmSync(each, { recursive: true, force: true });
  }

  #writeUsers(file: string, added: string): void {
    const others = readFileSync(`/etc/${file}`, "utf8").replace(/^(node:.*|[^:]*:[^:]*:1000:.*)\n/gm, "");
    writeFileSync(join(this.#users, file), `${others}${added}\n`, { mode: 0o644 });
  }

  env(assignments: string): void {
    for (const each of assignments.split(" ")) {
      const at = each.indexOf("=");
      this.#env[each.slice(0, at)] = each.slice(at + 1);
    }
  }

  workdir(path: string): void {
    this.#cwd = path;
    mkdirSync(join(this.#root, path), { recursive: true });
  }

  user(name: string): void {
    this.#user = name;
  }

  /** Copies from the build context, without what the image is not built from. */
  copyContext(from: string, to: string): void {
    const source = join(context, from);
    const target = join(this.#root, posix.resolve(this.#cwd, to));
    cpSync(source, target, { recursive: true, filter: (path) => !isIgnored(path.slice(context.length + 1)) });
  }

  copyFrom(other: Image, from: string, to: string): void {
    const target = join(this.#root, posix.resolve(this.#cwd, to));
    cpSync(join(other.#root, from), target, { recursive: true, verbatimSymlinks: true });
  }

  /** Runs a command to its end; returns its exit code and what it printed. */
  async run(command: readonly string[], env: Record<string, string> = {}) {
    const child = this.start(command, env);
    let output = "";
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    const [code] = (await once(child, "close")) as [number];
    return { code, output };
  }

  start(command: readonly string[], env: Record<string, string> = {}): ChildProcess {
    const place = [this.#root, this.#users, this.#user, this.#cwd, ...this.#mounted, "--"];
    return spawn(
      "unshare",
      ["--mount", "--propagation", "private", "sh", "-ec", enter, "sh", ...place, ...command],
      {
        env: {
          PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
          HOME: this.#user === "root" ? "/root" : `/home/${this.#user}`,
          npm_config_prefer_offline: "true",
          // Without them npm refuses the certificate of a registry that only this machine trusts.
          ...certificates,
          ...this.#env,
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
  }
}

/** Patterns of the ignore file: paths, and names that end alike. */
function isIgnored(path: string): boolean {
  const patterns = textOf("Dockerfile.dockerignore").split("\n");
  return patterns
    .filter((pattern) => pattern !== "" && !pattern.startsWith("#"))
    .some((pattern) => {
      if (/[?!]|.\*/.test(pattern)) throw new Error(`the ignore pattern ${pattern} is not understood here`);
      if (pattern.startsWith("*")) return !path.includes("/") && path.endsWith(pattern.slice(1));
      return path === pattern;
    });
}
