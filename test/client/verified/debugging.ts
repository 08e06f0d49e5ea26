import { afterAll, beforeAll, onTestFinished, vi } from "vitest";
import { type Client, createClient, http, type Transaction } from "../../../client/index.js";
import {
  createVerifiedClient,
  memoryStorage,
  type VerifiedClientOptions,
} from "../../../client/verified/index.js";
import { type TvmClient, withTvm } from "../../../client/verified/tvm/index.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { compileOnce, script, wasm } from "./tvm/emulator.js";

/** A service with a story, for tests that debug its transactions without trusting it. */
export class Debugging {
  service!: DevnetService;
  plain!: Client;
  /** The newest transactions. */
  listed: Transaction[] = [];

  static forTests(): Debugging {
    const debugging = new Debugging();
    beforeAll(() => debugging.#open());
    afterAll(() => debugging.#close());
    return debugging;
  }

  get ordinary(): Transaction {
    return this.listed.find(({ description }) => description.type === "ord")!;
  }

  /** A client of the service, or of another URL. */
  async client(
    url = this.service.url,
    { emulator = script, ...options }: ClientOptions = {},
  ): Promise<TvmClient> {
    const { init } = await this.plain.getMasterchainInfo();
    const client = createVerifiedClient({
      ...{ transport: http(`${url}/jsonRPC`), apiKey: this.service.key, trustedBlock: init },
      ...{ storage: memoryStorage(), headMs: 600_000, timeoutMs: 0, ...options },
    });
    onTestFinished(() => client.close());
    return withTvm(client, { wasm, script: emulator });
  }

  async #open(): Promise<void> {
    compileOnce();
    this.service = await sharedService("story");
    const transport = http(`${this.service.url}/jsonRPC`);
    this.plain = createClient({ transport, apiKey: this.service.key, timeoutMs: 0 });
    ({ transactions: this.listed } = await this.plain.v3.transactions({ limit: 200 }));
  }

  async #close(): Promise<void> {
    vi.restoreAllMocks();
    this.plain?.close();
    await this.service?.close();
  }
}

type ClientOptions = Partial<VerifiedClientOptions> & { emulator?: typeof script };
