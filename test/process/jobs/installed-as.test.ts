import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { installedAs } from "../../../server/process/jobs/installed-as.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

function write(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}

/** The folder of tonwire-server, installed in a project that names it like this. */
function installed(named: object, lock = {}): { project: string; server: string } {
  const project = temporaryFolder();
  const server = join(project, "node_modules/tonwire-server");
  write(join(project, "package.json"), named);
  write(join(project, "node_modules/.package-lock.json"), { packages: lock });
  write(join(server, "package.json"), { name: "tonwire-server", version: "1.2.3" });
  return { project, server };
}

const ofRegistry = { tonwire: "^1.2.3", "tonwire-server": "^1.2.3" };

describe("installedAs", () => {
  it.each(["^1.0.0", "~1.2.0", "latest", "npm:tonwire-server@1"])(
    "takes the version of the registry for %s",
    (named) => {
      const { server } = installed({ devDependencies: { "tonwire-server": named } });
      expect(installedAs(server)).toEqual(ofRegistry);
    },
  );

  it("resolves the paths of packed files, and finds the client beside the service", () => {
    const { project, server } = installed({
      devDependencies: { "tonwire-server": "file:packed/tonwire-server-1.2.3.tgz" },
    });
    const file = (name: string) => `file:${join(project, "packed", name)}`;
    const service = file("tonwire-server-1.2.3.tgz");
    expect(installedAs(server)).toEqual({ tonwire: "^1.2.3", "tonwire-server": service });
    write(join(project, "packed/tonwire-1.2.3.tgz"), {});
    expect(installedAs(server)).toEqual({ tonwire: file("tonwire-1.2.3.tgz"), "tonwire-server": service });
  });

  it("takes folders, repositories and URLs as the project names them", () => {
    for (const [named, expected] of [
      ["../tonwire-server", (project: string) => `file:${join(project, "../tonwire-server")}`],
      ["link:/srv/tonwire-server", () => "file:/srv/tonwire-server"],
      ["github:someone/tonwire#main", () => "github:someone/tonwire#main"],
      ["someone/tonwire", () => "someone/tonwire"],
      ["git+ssh://git@example.com/tonwire.git", () => "git+ssh://git@example.com/tonwire.git"],
      ["https://example.com/tonwire-server.tgz", () => "https://example.com/tonwire-server.tgz"],
    ] as const) {
      const { project, server } = installed({ dependencies: { tonwire: named, "tonwire-server": named } });
      const source = expected(project);
      expect(installedAs(server)).toEqual({ tonwire: source, "tonwire-server": source });
    }
  });

  it("asks the package manager where no project names it", () => {
    const file = { "node_modules/tonwire-server": { resolved: "file:a/tonwire-server-1.2.3.tgz" } };
    const { project, server } = installed({}, file);
    expect(installedAs(server)["tonwire-server"]).toBe(`file:${join(project, "a/tonwire-server-1.2.3.tgz")}`);
    const registry = {
      "node_modules/tonwire-server": { resolved: "https://registry.example/tonwire-server.tgz" },
    };
    expect(installedAs(installed({}, registry).server)).toEqual(ofRegistry);
  });

  it("names a checkout by its path", () => {
    const folder = temporaryFolder();
    write(join(folder, "package.json"), { name: "tonwire", version: "1.2.3" });
    expect(installedAs(folder)).toEqual({ tonwire: `file:${folder}`, "tonwire-server": undefined });
  });
});
