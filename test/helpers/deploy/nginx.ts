import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { freePort } from "../free-port.js";
import { folderInRun } from "../once-per-run.js";
import { until } from "../until.js";

const asked = spawnSync("nginx", ["-v"], { encoding: "utf8" });
export const haveNginx = asked.status === 0;
const [major = 0, minor = 0, patch = 0] =
  /nginx\/(\d+)\.(\d+)\.(\d+)/
    .exec(asked.stderr ?? "")
    ?.slice(1)
    .map(Number) ?? [];
/** Whether it asks others over HTTP/1.0 by default, as before 1.29.7. */
export const speaksHttp10 = major === 1 && (minor < 29 || (minor === 29 && patch < 7));

/** A running nginx. */
export type Nginx = {
  readonly url: string;
  /** Its log so far. */
  readonly logged: () => string;
  /** Lets it read another configuration, as `nginx -s reload` does. */
  reload(configuration: (port: number) => string): void;
  stop(): Promise<void>;
};

/**
 * Starts nginx; `configuration` is its file for a port to listen on, in which `/tmp/` is replaced by a separate folder.
 */
export async function startNginx(configuration: (port: number) => string): Promise<Nginx> {
  const folder = folderInRun("tonwire-deploy-");
  // Its workers have another user.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const path = join(folder, "nginx.conf");
  const configure = (text: string) => writeFileSync(path, text.replaceAll("/tmp/", `${folder}/`));
  configure(configuration(port));
  const checked = spawnSync("nginx", ["-t", "-c", path, "-e", "stderr"], { encoding: "utf8" });
  expect([checked.status, checked.stderr]).toEqual([0, expect.stringContaining("test is successful")]);
  const nginx = spawn("nginx", ["-c", path, "-e", "stderr", "-g", "daemon off;"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let logged = "";
  nginx.stderr.setEncoding("utf8").on("data", (text) => {
    logged += text;
  });
  const url = `http://127.0.0.1:${port}`;
  await until("nginx", () =>
    fetch(`${url}/healthcheck`).then(
      () => true,
      () => false,
    ),
  );
  return {
    url,
    logged: () => logged,
    reload(changed) {
      configure(changed(port));
      nginx.kill("SIGHUP");
    },
    async stop() {
      nginx.kill("SIGTERM");
      if (nginx.exitCode === null) await once(nginx, "exit");
    },
  };
}

/** A whole file around what belongs into `http`, such as the files of /etc/nginx/conf.d. */
export const nginxWith = (http: string) => `
pid /tmp/nginx.pid;
error_log stderr warn;
events {}
http {
  access_log off;
  client_body_temp_path /tmp/client-body;
  proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi;
  scgi_temp_path /tmp/scgi;
  ${http}
}`;
