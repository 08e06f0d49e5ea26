import type { Client } from "../../../../client/client.js";
import type { DebuggedTransaction, DebugTransactionParams } from "../../../../client/verified/debug/types.js";
import type { AskClaim } from "../../../../client/verified/proven-ask.js";
import { ProofError } from "../../../../shared/ton/proofs/verify/proof-error.js";
import { keptRead } from "../../../../shared/values/shared-reads.js";
import { Bar } from "./bar.js";
import { chainContent } from "./chain-panel.js";
import type { Debugging } from "./debugging.js";
import { lieText } from "./evidence.js";
import { Marks } from "./marks.js";
import { knownOutcome, outcomeOf } from "./outcome.js";
import { Panel } from "./panel.js";
import { proofContent } from "./proof-panel.js";
import { Proofs } from "./proofs.js";
import { Session } from "./session.js";
import { readBlock, type StartBlock } from "./start-block.js";

/** Runs transactions in the page, on proven inputs. */
export type ProvenDebugger = {
  debug(params: DebugTransactionParams): Promise<DebuggedTransaction>;
  /** All that shows a lie to others, as JSON; undefined if the error is none. */
  evidenceOf(error: unknown): string | undefined;
};

export type VerifyingOptions = {
  readonly network: string;
  /** The element with the values. */
  readonly place: HTMLElement;
  /** The client for calls; another one once the key changes. */
  client(): Client;
};

/** Proves the values that pages show, while it is turned on. */
class Verifying implements ProvenDebugger {
  readonly #session: Session;
  readonly #proofs: Proofs;
  readonly #marks: Marks;
  readonly #panel = new Panel();
  readonly #bar = new Bar(() => this.#openChain());
  readonly #client: VerifyingOptions["client"];
  readonly #debugging = keptRead(() => this.#loadDebugging());
  #contradicted = 0;
  #isOn = false;

  constructor({ network, place, client }: VerifyingOptions) {
    this.#client = client;
    this.#session = new Session({
      network,
      caller: { call: (...args: Parameters<Client["call"]>) => client().call(...args) } as Pick<
        Client,
        "call"
      >,
      onStatus: () => this.#showLine(),
    });
    this.#proofs = new Proofs(this.#session);
    this.#marks = new Marks({
      place,
      prove: (claim) =>
        outcomeOf(claim, { session: this.#session, proofs: this.#proofs }, network === "devnet"),
      known: (claim) => knownOutcome(claim, this.#proofs),
      open: (outcome, again) =>
        this.#panel.show(
          proofContent(outcome, {
            session: this.#session,
            retry: () => {
              this.#panel.close();
              again();
            },
          }),
        ),
      onCount: (contradicted) => {
        this.#contradicted = contradicted;
        this.#showLine();
      },
    });
    window.addEventListener("online", () => {
      if (this.#isOn) this.#retry();
    });
  }

  turn(isOn: boolean): void {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    if (isOn) {
      this.#showLine();
      this.#marks.start();
      this.#proveHead();
      return;
    }
    this.#marks.stop();
    this.#bar.hide();
  }

  async debug(params: DebugTransactionParams): Promise<DebuggedTransaction> {
    return (await this.#debugging()).run(params);
  }

  evidenceOf(error: unknown): string | undefined {
    if (!(error instanceof ProofError)) return undefined;
    const { start } = this.#session.status;
    return lieText(error, { service: location.origin, page: location.href, start });
  }

  async #loadDebugging(): Promise<Debugging> {
    const claims: AskClaim = (name, params) => this.#client().call(name as never, params as never);
    const code = await import("./debugging.js");
    return new code.Debugging(this.#session, claims);
  }

  #showLine(): void {
    if (this.#isOn) this.#bar.show(this.#session.status, this.#contradicted);
  }

  /** Pages without values show the newest proven block too. The status has the reason of a failure. */
  #proveHead(): void {
    this.#session.prove(async () => undefined).catch(() => this.#showLine());
  }

  #retry(): void {
    this.#panel.close();
    this.#marks.retry("failed");
    this.#proveHead();
  }

  #restart(start?: StartBlock): void {
    this.#panel.close();
    this.#session.restart(start);
    this.#proofs.clear();
    this.#marks.retry("all");
    this.#proveHead();
  }

  #openChain(): void {
    const content = chainContent(this.#session, {
      trustAnew: () => this.#restart(),
      trustGiven: () => this.#startAtField(),
      retry: () => this.#retry(),
    });
    this.#panel.show(content);
  }

  #startAtField(): void {
    const block = readBlock(this.#panel.field("start")?.value ?? "");
    if (block) this.#restart({ block, givenBy: "user", since: Date.now() });
    else this.#panel.complain("start", "Needed: the seqno, root hash and file hash of a masterchain block.");
  }
}

export function startVerifying(options: VerifyingOptions): Pick<Verifying, "turn"> & ProvenDebugger {
  return new Verifying(options);
}
