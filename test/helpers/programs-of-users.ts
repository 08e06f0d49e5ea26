import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Passes the bytes of its clients on, as a proxy does that adds nothing. */
const forward = `
const { connect, createServer } = require("node:net");
const server = createServer((client) => {
  const target = connect(Number(process.argv[1]), "127.0.0.1");
  client.on("error", () => {}).on("close", () => target.destroy());
  target.on("error", () => {}).on("close", () => client.destroy());
  client.pipe(target).pipe(client);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

const call = `
fetch(process.argv[1], { method: "POST", body: process.argv[2] })
  .then((answer) => answer.text())
  .then((text) => console.log(text));
`;

/** A program of a user that forwards connections to a service. */
export type Forwarder = { readonly url: string; stop(): Promise<void> };

export async function startForwarder(user: number, serviceUrl: string): Promise<Forwarder> {
  const { port } = new URL(serviceUrl);
  const program = spawn(process.execPath, ["--eval", forward, port], {
    stdio: ["ignore", "pipe", "inherit"],
    ...{ cwd: "/", uid: user, gid: user },
  });
  const ended = once(program, "exit");
  const [line] = await once(program.stdout, "data");
  return {
    url: `http://127.0.0.1:${Number(line)}`,
    async stop() {
      program.kill("SIGKILL");
      await ended;
    },
  };
}

/** The answer to a call that Node's client sends in a program of a user. */
export async function postAs(user: number, url: string, body: unknown): Promise<unknown> {
  const { stdout } = await run(process.execPath, ["--eval", call, url, JSON.stringify(body)], {
    ...{ cwd: "/", uid: user, gid: user },
  });
  return JSON.parse(stdout);
}
