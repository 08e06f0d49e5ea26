import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** How a project names our packages among its dependencies. */
type OwnDependencies = { readonly tonwire: string; readonly "tonwire-server": string | undefined };

type Manifest = {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};
type LockFile = { readonly packages?: Readonly<Record<string, { readonly resolved?: string }>> };

const names = { client: "tonwire", server: "tonwire-server" } as const;

/**
 * Names our packages as the package in this folder was installed: by a version of the registry, or by the path of a file or
 * folder, or the URL, that its project names. A checkout is named by its path.
 */
export function installedAs(folder: string): OwnDependencies {
  const { name, version = "0.0.0" } = readJson<Manifest>(join(folder, "package.json")) ?? {};
  if (name !== names.server) return { tonwire: `file:${folder}`, "tonwire-server": undefined };
  const range = `^${version}`;
  const server = sourceOf(names.server, folder);
  if (server === undefined) return { tonwire: range, "tonwire-server": range };
  return { tonwire: sourceOf(names.client, folder) ?? besides(server) ?? range, "tonwire-server": server };
}

/** Where an installed package is from, as the project names it, or without one the package manager; undefined for the registry. */
function sourceOf(name: string, folder: string): string | undefined {
  const above = foldersAbove(folder);
  for (const at of above) {
    const { dependencies, devDependencies } = readJson<Manifest>(join(at, "package.json")) ?? {};
    const named = devDependencies?.[name] ?? dependencies?.[name];
    if (named !== undefined) return absolute(named, at);
  }
  for (const at of above) {
    const { packages } = readJson<LockFile>(join(at, ".package-lock.json")) ?? {};
    const resolved = packages?.[`node_modules/${name}`]?.resolved;
    if (resolved !== undefined)
      return /^https?:/.test(resolved) ? undefined : absolute(resolved, dirname(at));
  }
  return undefined;
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...foldersAbove(parent)];
}

/** A dependency as any project can name it; undefined for versions and tags of the registry. */
function absolute(named: string, folder: string): string | undefined {
  if (/^[a-z+]+:\/\/|^git@/i.test(named)) return named;
  const path = /^(?:file|link|portal):(.*)$/.exec(named)?.[1] ?? (isPath(named) ? named : undefined);
  if (path !== undefined) return `file:${resolve(folder, path)}`;
  return isRepository(named) ? named : undefined;
}

const isPath = (named: string) => /^\.{0,2}\/|^[a-z]:[\\/]|\.tgz$/i.test(named);
const isRepository = (named: string) =>
  /^(?:github|gitlab|bitbucket|gist):|^[\w.-]+\/[\w.-]+(?:#|$)/.test(named);

/** The packed client beside the packed service. */
function besides(server: string): string | undefined {
  const prefix = `${names.server}-`;
  const file = basename(server);
  if (!server.startsWith("file:") || !file.startsWith(prefix) || !file.endsWith(".tgz")) return undefined;
  const client = join(dirname(server.slice(5)), `${names.client}-${file.slice(prefix.length)}`);
  return existsSync(client) ? `file:${client}` : undefined;
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch {
    // No such file, or none of a package manager.
    return undefined;
  }
}
