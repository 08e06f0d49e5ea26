import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { backend, complete, dataRow, errorResponse, ready, rowDescription } from "./fake-postgres.js";
import { type BoundValue, type FrontendMessage, nextMessage } from "./frontend-messages.js";

/** Answer to a statement: rows of texts, an error, or `never`. */
export type Answer = { rows: Record<string, string | null>[] } | { error: string; text?: string } | "never";

type Run = { text: string; values: readonly BoundValue[]; session: Session };

type Options = {
  /** Default: no rows. */
  answer?: (run: Run) => Answer | undefined;
  /** Whether notifications are lost, as behind a pooler. */
  dropsNotifications?: boolean;
  /** An error with this SQLSTATE instead of the start of a session. */
  refusesWith?: string;
};

/** A server of PostgreSQL's protocol that keeps what it hears, and answers statements one by one as a test says. */
export class TalkingPostgres {
  readonly url: string;
  readonly sessions: Session[] = [];
  readonly options: Options;
  readonly #server: Server;

  private constructor(server: Server, options: Options) {
    this.#server = server;
    this.options = options;
    this.url = `postgres://fake@127.0.0.1:${(server.address() as AddressInfo).port}/fake`;
    server.on("connection", (socket) => this.sessions.push(new Session(this, socket)));
    onTestFinished(() => this.stop());
  }

  static async start(options: Options = {}): Promise<TalkingPostgres> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new TalkingPostgres(server, options);
  }

  /** Statements of all sessions, without the one by which a pool learns their numbers. */
  get heard(): string[] {
    return this.sessions
      .flatMap(({ heard }) => heard)
      .filter((each) => !each.startsWith("select pg_backend_pid"));
  }

  notify(channel: string, payload: string): void {
    if (this.options.dropsNotifications) return;
    for (const session of this.sessions) session.notify(channel, payload);
  }

  stop(): void {
    this.#server.close();
    for (const { socket } of this.sessions) socket.destroy();
  }
}

/** One connection of a client. */
class Session {
  /** The parameters of its start. */
  readonly start = new Map<string, string>();
  /** Its messages, each in a few words. */
  readonly heard: string[] = [];
  readonly socket: Socket;
  readonly #server: TalkingPostgres;
  readonly #channels = new Set<string>();
  readonly #statements = new Map<string, string>();
  #received: Buffer = Buffer.alloc(0);
  #hasStarted = false;
  /** To the statement that was bound last. */
  #bound: Answer = { rows: [] };
  /** Messages after an error are skipped until the next Sync. */
  #skips = false;
  #isSilent = false;
  /** COPYs of a query that have no rows yet. */
  #copies = 0;

  constructor(server: TalkingPostgres, socket: Socket) {
    this.#server = server;
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      if (!this.#hasStarted) this.#begin();
      while (this.#hasStarted) {
        const next = nextMessage(this.#received);
        if (!next) return;
        this.#received = next.rest;
        this.heard.push(wordsOf(next.message));
        if (!this.#isSilent) this.#handle(next.message);
      }
    });
  }

  notify(channel: string, payload: string): void {
    if (!this.#channels.has(channel)) return;
    this.#send(backend("A", Buffer.concat([Buffer.alloc(4), Buffer.from(`${channel}\0${payload}\0`)])));
  }

  #begin(): void {
    if (this.#received.length < 4 || this.#received.length < this.#received.readInt32BE(0)) return;
    const length = this.#received.readInt32BE(0);
    const words = this.#received.toString("utf8", 8, length).split("\0");
    for (let at = 0; at + 1 < words.length; at += 2) this.start.set(words[at]!, words[at + 1]!);
    this.#received = this.#received.subarray(length);
    const { refusesWith } = this.#server.options;
    if (refusesWith) this.socket.end(errorResponse("FATAL", refusesWith, "the session is refused"));
    else this.#send(backend("R", Buffer.alloc(4)), ready);
    this.#hasStarted = true;
  }

  #handle(message: FrontendMessage): void {
    if (message.is === "sync") {
      this.#skips = false;
      this.#send(ready);
    } else if (message.is === "end") this.socket.end();
    else if (!this.#skips) this.#run(message);
  }

  #run(message: FrontendMessage): void {
    if (message.is === "parse") this.#parse(message);
    else if (message.is === "bind") this.#bind(message);
    else if (message.is === "close") {
      this.#statements.delete(message.name);
      this.#send(backend("3"));
    } else if (message.is === "describe") {
      const columns = columnsOf(this.#bound);
      this.#send(columns.length > 0 ? rowDescription(...columns) : backend("n"));
    } else if (message.is === "execute") this.#answer(this.#bound);
    else if (message.is === "query") this.#query(message.text);
    else if (message.is === "copyDone") this.#copied();
  }

  #parse({ name, text }: FrontendMessage & { is: "parse" }): void {
    if (name !== "" && this.#statements.has(name)) this.#fail({ error: "42P05" });
    else {
      this.#statements.set(name, text);
      this.#send(backend("1"));
    }
  }

  #bind({ name, values }: FrontendMessage & { is: "bind" }): void {
    const text = this.#statements.get(name);
    if (text === undefined) this.#fail({ error: "26000" });
    else {
      this.#bound = this.#answerTo({ text, values });
      this.#send(backend("2"));
    }
  }

  #query(text: string): void {
    this.#copies = text.split(";\n").filter((each) => each.startsWith("copy ")).length;
    if ("error" in Object(this.#answerTo({ text, values: [] }))) this.#copies = 0;
    if (this.#copies > 0) this.#send(takesRows);
    else this.#script(text);
  }

  #script(text: string): void {
    for (const [, channel] of text.matchAll(/\blisten (\w+)/g)) this.#channels.add(channel!);
    const answer = this.#answerTo({ text, values: [] });
    if (columnsOf(answer).length > 0) this.#send(rowDescription(...columnsOf(answer)));
    this.#answer(answer);
    this.#skips = false;
    if (!this.#isSilent) this.#send(ready);
    const [, channel] = /^notify (\w+)/.exec(text) ?? [];
    if (channel) this.#server.notify(channel, "");
  }

  #copied(): void {
    // A server skips the rows of a COPY that it has refused.
    if (this.#copies === 0) return;
    this.#send(complete("COPY 1"));
    this.#copies--;
    this.#send(this.#copies > 0 ? takesRows : ready);
  }

  #answer(answer: Answer): void {
    if (answer === "never") this.#isSilent = true;
    else if ("error" in answer) this.#fail(answer);
    else {
      for (const row of answer.rows) this.#send(dataRow(...Object.values(row)));
      this.#send(complete(`SELECT ${answer.rows.length}`));
    }
  }

  #answerTo(run: Omit<Run, "session">): Answer {
    if (run.text.startsWith("select pg_backend_pid"))
      return { rows: [{ pid: `${100 + this.#server.sessions.indexOf(this)}` }] };
    return this.#server.options.answer?.({ ...run, session: this }) ?? { rows: [] };
  }

  #fail({ error, text = "refused" }: { error: string; text?: string }): void {
    this.#skips = true;
    this.#send(errorResponse("ERROR", error, text));
  }

  #send(...parts: Buffer[]): void {
    this.socket.write(Buffer.concat(parts));
  }
}

/** CopyInResponse: binary, without a list of columns. */
const takesRows = backend("G", Buffer.from([1, 0, 0]));

function columnsOf(answer: Answer): string[] {
  return answer !== "never" && "rows" in answer ? Object.keys(answer.rows[0] ?? {}) : [];
}

function wordsOf(message: FrontendMessage): string {
  switch (message.is) {
    case "parse":
      return `parse ${message.text}`;
    case "bind":
      return message.values.length > 0 ? `bind ${message.values.map(String).join(", ")}` : "bind";
    case "query":
      return message.text;
    case "copyData":
      return `rows ${message.bytes.toString()}`;
    default:
      return message.is;
  }
}
