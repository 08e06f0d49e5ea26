import { Agent, request } from "node:http";
import { expect } from "vitest";
import { freePort } from "../free-port.js";
import { folderInRun } from "../once-per-run.js";
import { until } from "../until.js";
import { TonwireProcess } from "./command.js";

type ProcessState = {
  process: number;
  pid: number;
  state: string;
  restarts: number;
  failure: string | null;
};

type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; json: never };

type SeveralOptions = {
  flags?: readonly string[];
  databaseUrl?: string;
  /** Whether `end` ends it, and not the test that starts it. */
  outlivesTest?: boolean;
};

/** A devnet's service of several processes; by default without an index. */
export class SeveralProcesses {
  readonly key = "k";
  readonly data: string;
  readonly process: TonwireProcess;
  readonly url: string;
  readonly #admin: string;

  private constructor(process: TonwireProcess, place: { data: string; url: string; admin: string }) {
    this.process = process;
    this.data = place.data;
    this.url = place.url;
    this.#admin = place.admin;
  }

  static async start(
    count: number,
    { flags = [], databaseUrl, outlivesTest = false }: SeveralOptions = {},
  ): Promise<SeveralProcesses> {
    const port = await freePort();
    const data = folderInRun("tonwire-processes-");
    const settings = ["--processes", String(count), "--port", "0", "--admin-port", String(port)];
    const chain = ["--data", data, "--story", "false", "--mining", "message", "--log-format", "json"];
    const env = {
      TONWIRE_DEVNET_KEY: "k",
      TONWIRE_CALL_TIMEOUT_MS: "200000",
      ...(databaseUrl === undefined ? { TONWIRE_INDEX: "false" } : { DATABASE_URL: databaseUrl }),
    };
    const process = new TonwireProcess(["start", ...settings, ...chain, ...flags], { env, outlivesTest });
    const url = await process.printed(/serves devnet at (\S+)\n/);
    return new SeveralProcesses(process, { data, url, admin: `http://127.0.0.1:${port}` });
  }

  async end(): Promise<void> {
    this.process.send("SIGKILL");
    await this.process.ended;
  }

  /** A call over a connection of its own, which any process may accept. */
  get(path: string, key: string = this.key): Promise<Answer> {
    return ask(this.url + path, { key });
  }

  /** The result of a method, over a connection of its own. */
  async rpc<Result>(method: string, params: object = {}): Promise<Result> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const { json } = await ask(`${this.url}/jsonRPC`, { key: this.key, body });
    const answer = json as { result?: Result };
    expect(answer, JSON.stringify(answer)).toHaveProperty("result");
    return answer.result as Result;
  }

  async status(): Promise<{ state: string; processes: ProcessState[] }> {
    return (await ask(`${this.#admin}/status`)).json;
  }

  async metrics(): Promise<string> {
    return (await fetch(`${this.#admin}/metrics`)).text();
  }

  async health(): Promise<number> {
    return (await fetch(`${this.#admin}/healthcheck?only=all`)).status;
  }

  /** Ends a process without a chance to do anything, and waits until another one has taken its place. */
  async kill(number: number): Promise<void> {
    const find = async () =>
      (await this.status()).processes.find((each) => each.process === number) as ProcessState;
    const { pid, restarts } = await find();
    process.kill(pid, "SIGKILL");
    await until("another process in its place", async () => {
      const now = await find();
      return now.restarts > restarts && now.state === "ready";
    });
  }
}

function ask(url: string, { key, body }: { key?: string; body?: string } = {}): Promise<Answer> {
  const agent = new Agent({ keepAlive: false });
  const headers = {
    ...(key !== undefined && { "X-API-Key": key }),
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers, method: body === undefined ? "GET" : "POST" }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("error", reject);
      response.on("end", () => {
        const json = text.startsWith("{") ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode!, headers: response.headers, json: json as never });
      });
    });
    call.on("error", reject);
    call.end(body);
  });
}
