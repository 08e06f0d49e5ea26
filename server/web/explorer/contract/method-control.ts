import type { V3RunGetMethodResult } from "../../../../client/api.js";
import type { AbiCoder } from "../../../../shared/ton/abi/coder.js";
import type { GetMethod } from "../../../../shared/ton/abi/model.js";
import { explainExitCode } from "../../../../shared/values/exit-codes/explain.js";
import { hasSucceeded } from "../../../../shared/values/exit-codes/kinds.js";
import { html, type Markup } from "../../pages/markup.js";
import type { Control, Values } from "../devnet/control-form.js";
import { count } from "../parts/amount.js";
import type { Names } from "../parts/names.js";
import { record } from "../parts/record.js";
import { claimed } from "../parts/text.js";
import { whyRunLink } from "../parts/why-link.js";
import { TypedInputs } from "./typed-inputs.js";
import { TypedValues } from "./typed-values.js";

/** A contract whose interface is known. */
export type Contract = {
  /** Friendly. */
  readonly address: string;
  readonly coder: AbiCoder;
  /** Interfaces of the account. */
  readonly kinds: readonly string[];
  readonly names: Names;
};

/** A form that runs a get-method. */
export function methodControl(
  { address, coder, kinds, names }: Contract,
  method: GetMethod,
  { id, accounts }: { readonly id: string; readonly accounts?: string | undefined },
): Control {
  const inputs = new TypedInputs(coder, accounts).record(method.parameters);
  const paramsOf = (values: Values) => ({ address, method: method.name, args: inputs.read(values) });
  return {
    id,
    fields: [inputs.markup],
    button: "Run",
    request: (values) => ({ method: "v3.runGetMethod", params: paramsOf(values) }),
    resultOf: ({ exit_code, gas_used, stack, abi }: V3RunGetMethodResult, sent) => {
      const isGood = hasSucceeded(exit_code);
      const typed = new TypedValues(coder, names);
      return html`<p class="outcome"><span class="pill ${isGood ? "good" : "bad"}">exit ${exit_code}</span>
        ${exitWords(coder, exit_code, kinds)} <span class="aside">${count(gas_used)} gas</span> ${!isGood && whyRunLink("get_method", paramsOf(sent))}</p>
        ${isGood && (abi?.result === undefined ? record(stack) : html`<p class="type">${claimed(abi.returns, 200)}</p>${typed.markup(abi.result, method.returns)}`)}`;
    },
  };
}

/** What an exit code means, by the contract's own name and description if it has them. */
export function exitWords(coder: AbiCoder, code: number, kinds: readonly string[] = []): Markup {
  const own = code > 1 ? coder.errorOf(code) : undefined;
  if (own) return html`<strong>${claimed(own.name)}</strong> ${claimed(own.description, 300)}`;
  return html`${explainExitCode({ code, contract: kinds })?.text ?? "The contract defines what this code means."}`;
}
