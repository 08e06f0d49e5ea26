import { expect } from "vitest";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import type { LoneContract, Ran } from "./lone-contract.js";

/** Operations of tests on a contract, or on several together. */
export type Runs = Pick<LoneContract, "receive" | "tick" | "tock" | "get" | "data" | "balance" | "config">;

/**
 * Contracts of other code that must behave like the first one. Each transaction runs on all of them; a difference in
 * data, balance, actions or messages fails the test. Gas may differ, and so may the code with which a run fails.
 */
export class SideBySide implements Runs {
  readonly #first: LoneContract;
  readonly #others: readonly LoneContract[];

  constructor(first: LoneContract, others: readonly LoneContract[]) {
    this.#first = first;
    this.#others = others;
  }

  get config(): Cell {
    return this.#first.config;
  }

  set config(config: Cell) {
    for (const contract of [this.#first, ...this.#others]) contract.config = config;
  }

  get data(): Cell {
    return this.#first.data;
  }

  get balance(): bigint {
    return this.#first.balance;
  }

  receive(incoming: Parameters<LoneContract["receive"]>[0]): Ran {
    return this.#run((contract) => contract.receive(incoming));
  }

  tick(at: number): Ran {
    return this.#run((contract) => contract.tick(at));
  }

  tock(at: number): Ran {
    return this.#run((contract) => contract.tock(at));
  }

  /** Compares the stacks too. */
  get(method: string, at: number, stack: readonly StackValue[] = []) {
    const answer = this.#first.get(method, at, stack);
    for (const other of this.#others) {
      const { exitCode, stack: left } = other.get(method, at, stack);
      expect({ exitCode, stack: shown(answer.stack) }, method).toEqual({
        exitCode: answer.exitCode,
        stack: shown(left),
      });
    }
    return answer;
  }

  #run(act: (contract: LoneContract) => Ran): Ran {
    const ran = act(this.#first);
    for (const other of this.#others) expect(seen(this.#first, ran)).toEqual(seen(other, act(other)));
    return ran;
  }
}

function seen(contract: LoneContract, { exitCode, actionCode, modes, sent }: Ran) {
  return {
    hasSucceeded: exitCode === 0,
    ...{ actionCode, modes, balance: contract.balance, data: contract.data.hashHex() },
    sent: sent.map(({ body, ...message }) => ({ ...message, body: body.hashHex() })),
  };
}

function shown(stack: readonly StackValue[]): unknown[] {
  return stack.map((value) => {
    if (value.type === "tuple") return shown(value.items);
    return "cell" in value ? `${value.type} ${value.cell.hashHex()}` : value;
  });
}
