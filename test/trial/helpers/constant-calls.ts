import { until } from "../../helpers/until.js";

const newest = "/api/v3/masterchainInfo";

/** Calls a service, one call after the other, until it is stopped. */
export class ConstantCalls {
  /** Answers other than 200, and blocks that were missing again. */
  readonly failures: string[] = [];
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #paths: readonly string[];
  #answered = 0;
  #seqno = 0;
  #isStopped = false;
  readonly #ended: Promise<void>;

  private constructor(url: string, key: string, paths: readonly string[]) {
    this.#url = url;
    this.#headers = { "X-API-Key": key };
    this.#paths = [...paths, newest];
    this.#ended = this.#run();
  }

  static start(url: string, key: string, paths: readonly string[]): ConstantCalls {
    return new ConstantCalls(url, key, paths);
  }

  /** Waits until each call was answered twice more. */
  async goOn(): Promise<void> {
    const enough = this.#answered + 2 * this.#paths.length;
    const missing = () => `answers of ${this.#url}; failures: ${this.failures.slice(-3).join("; ")}`;
    await until(missing, () => this.#answered >= enough);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }

  async #run(): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      const path = this.#paths[turn % this.#paths.length]!;
      try {
        await this.#call(path);
      } catch (error) {
        this.failures.push(`${path}: ${(error as Error).message}`);
      }
    }
  }

  async #call(path: string): Promise<void> {
    const answer = await fetch(this.#url + path, { headers: this.#headers });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    if (path === newest) this.#see((JSON.parse(text) as { last: { seqno: number } }).last.seqno);
    this.#answered++;
  }

  #see(seqno: number): void {
    if (seqno < this.#seqno)
      throw new Error(`block ${this.#seqno} is missing again: ${seqno} is the last one`);
    this.#seqno = seqno;
  }
}

/** Lets a devnet make payments, whose amounts are all different, until it is stopped. */
export class ConstantPayments {
  /** Amounts of the payments made. */
  readonly amounts: string[] = [];
  readonly #pay: (amount: string) => Promise<void>;
  #isStopped = false;
  #failure: Error | undefined;
  #running: Promise<void> | undefined;

  constructor(pay: (amount: string) => Promise<void>) {
    this.#pay = pay;
  }

  /** Each one waits for `turn`: a chain that grows at full speed shows nothing more. */
  start(turn: () => Promise<void>): void {
    this.#isStopped = false;
    this.#running = this.#run(turn).catch((error) => {
      this.#failure = error as Error;
    });
  }

  /** Waits for a payment that begins from now on. */
  async goOn(): Promise<void> {
    const enough = this.amounts.length + 2;
    await until("payments", () => this.#failure !== undefined || this.amounts.length >= enough);
    if (this.#failure) throw this.#failure;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    if (this.#failure) throw this.#failure;
  }

  async #run(turn: () => Promise<void>): Promise<void> {
    while (!this.#isStopped) {
      await turn();
      const amount = `${1_000_000_000 + this.amounts.length}`;
      await this.#pay(amount);
      this.amounts.push(amount);
    }
  }
}
