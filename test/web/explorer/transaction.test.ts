import { describe, expect, it } from "vitest";
import type { Transaction } from "../../../client/api.js";
import { lineOf } from "../../../server/web/explorer/parts/message-line.js";
import { operationOf } from "../../../server/web/explorer/transaction/message-names.js";
import { phases } from "../../../server/web/explorer/transaction/phases.js";
import { madeTrace } from "../../helpers/made-trace.js";

/** The phases of a transaction whose compute phase has these members. */
function shown(compute: object, contract: readonly string[] = []): string {
  const run = {
    ...{ skipped: false, success: true, exit_code: 0, gas_fees: "1", vm_steps: 5 },
    ...compute,
  };
  return phases({ type: "ord", compute_ph: run } as unknown as Transaction["description"], contract).text;
}

describe("phases of a transaction", () => {
  it("name the limit of gas, unless there was none before the message was accepted", () => {
    expect(shown({ gas_used: "3308", gas_limit: "10000" })).toContain("3,308 of 10,000");
    const external = shown({ gas_used: "3308", gas_limit: "0", gas_credit: "10000" });
    expect(external).toContain("3,308");
    expect(external).not.toContain("of 0");
  });

  it("explain exit codes by the contract", () => {
    const failed = { success: false, exit_code: 36, gas_used: "1", gas_limit: "1" };
    expect(shown(failed, ["wallet_v4r2"])).toContain("exit code 36: the message has expired");
    expect(shown(failed)).toContain("exit code 36, which the contract defines");
  });
});

describe("names of operations", () => {
  it("are spelled right where the reference misspells them", () => {
    const trace = madeTrace({ message: { decoded_opcode: "mulisig_new_order" } });
    const [transaction] = Object.values(trace.transactions!);
    expect(operationOf(transaction!.in_msg!)).toBe("multisig new order");
  });

  it("are the number of an opcode that several protocols share", () => {
    const message = {
      opcode: "0x00000001",
      decoded_opcode: "evaa_supply_master,pyth_update_guardian_set",
      message_content: { hash: "", body: "", decoded: null },
    };
    const [, child] = Object.values(madeTrace({ children: [{ message }] }).transactions!);
    expect(operationOf(child!.in_msg!)).toBe("0x00000001");
    expect(lineOf(child!.in_msg!).kind).toBe("0x00000001");
  });
});
