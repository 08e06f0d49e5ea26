import { debug } from "../../../../client/verified/debug/debug.js";
import type { DebuggedTransaction, DebugTransactionParams } from "../../../../client/verified/debug/types.js";
import { emulatorAt } from "../../../../client/verified/executor/emulator-script.js";
import { RunPool } from "../../../../client/verified/executor/run-pool.js";
import type { AskClaim } from "../../../../client/verified/proven-ask.js";
import type { Session } from "./session.js";

/** Runs transactions again in this page, on inputs that the session proves. */
export class Debugging {
  readonly #session: Session;
  readonly #claims: AskClaim;
  readonly #pool = new RunPool(emulatorAt(location.origin));

  constructor(session: Session, claims: AskClaim) {
    this.#session = session;
    this.#claims = claims;
  }

  async run(params: DebugTransactionParams): Promise<DebuggedTransaction> {
    const { result } = await this.#session.prove(({ reads }, call) =>
      debug(params, { reads, claims: this.#claims, pool: this.#pool }, call),
    );
    return result;
  }
}
