import { DebugClient } from "@vscode/debugadapter-testsupport";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { onTestFinished } from "vitest";
import { CommandHere } from "../services/command-here.js";

type Stopped = DebugProtocol.StoppedEvent["body"];
type Service = { url: string; key: string };

/** How a walk moves. */
export const moves = ["next", "stepIn", "stepOut", "stepBack", "continue", "reverseContinue"] as const;
export type Move = (typeof moves)[number];

/** An editor that is connected to `tonwire debug --port`, until the test ends. */
export class Editor {
  readonly client: DebugClient;
  readonly output: string[] = [];

  private constructor(client: DebugClient) {
    this.client = client;
    client.on("output", ({ body }: DebugProtocol.OutputEvent) => void this.output.push(body.output));
  }

  static async open({ url, key }: Service, ...args: string[]): Promise<Editor> {
    const command = new CommandHere(["debug", "--port", "0", "--url", url, "--key", key, ...args]);
    const port = await command.printed(/listens on 127\.0\.0\.1:(\d+)/);
    return Editor.connect(Number(port));
  }

  static async connect(port: number): Promise<Editor> {
    const client = new DebugClient("node", "", "tolk");
    await client.start(port);
    onTestFinished(() => client.stop());
    return new Editor(client);
  }

  /** Begins a session. `configure` sets its breakpoints. Resolves with the first stop. */
  async launch(args: object, configure: () => Promise<unknown> = async () => {}): Promise<Stopped> {
    const stopped = this.#next("stopped");
    const initialized = this.#next("initialized");
    await this.client.initializeRequest();
    const launched = this.client.launchRequest(args as DebugProtocol.LaunchRequestArguments);
    await Promise.race([initialized, launched]);
    await initialized;
    await configure();
    await this.client.configurationDoneRequest();
    await launched;
    return (await stopped) as Stopped;
  }

  /** Moves, and resolves with the next stop. */
  async move(command: Move | "restart", args: object = {}): Promise<Stopped> {
    const stopped = this.#next("stopped");
    await this.client.customRequest(command, { threadId: this.thread, ...args });
    const body = (await stopped) as Stopped;
    this.thread = body.threadId ?? this.thread;
    return body;
  }

  thread = 1;

  async frames(): Promise<DebugProtocol.StackFrame[]> {
    const { body } = await this.client.stackTraceRequest({ threadId: this.thread });
    return body.stackFrames;
  }

  /** The number of the step, and the line. */
  async where(): Promise<{ step: number; line: number; name: string }> {
    const [top] = await this.frames();
    return { step: Number(await this.value("step")), line: top!.line, name: top!.name };
  }

  async value(expression: string): Promise<string> {
    const { body } = await this.client.evaluateRequest({ expression });
    return body.result;
  }

  /** Everything that a user sees of the machine, but for references, which are new at each stop. */
  async seen(): Promise<unknown> {
    const frames = await this.frames();
    const { body } = await this.client.scopesRequest({ frameId: frames[0]!.id });
    const scopes = await Promise.all(
      body.scopes.map(async ({ name, variablesReference }) => ({
        name,
        variables: await this.#unfolded(variablesReference, 2),
      })),
    );
    return { frames, scopes };
  }

  async #unfolded(variablesReference: number, depth: number): Promise<unknown> {
    if (variablesReference === 0 || depth === 0) return [];
    const { body } = await this.client.variablesRequest({ variablesReference });
    return Promise.all(
      body.variables.map(async ({ name, value, type, variablesReference: parts }) => ({
        ...{ name, value, type },
        parts: await this.#unfolded(parts, depth - 1),
      })),
    );
  }

  /** Rejects if the session ends before. */
  #next(event: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error(`the session has ended before ${event}`));
      this.client.once("terminated", ended);
      this.client.once(event, ({ body }) => {
        this.client.off("terminated", ended);
        resolve(body);
      });
    });
  }
}
