import { type StackItem, stack } from "../../../../client/values/stack.js";
import { explainExitCode } from "../../../../shared/values/exit-codes/explain.js";
import { hasSucceeded } from "../../../../shared/values/exit-codes/kinds.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { failure } from "../parts/failure.js";
import { whyRunLink } from "../parts/why-link.js";
import type { ViewContext } from "../view.js";
import { type InputKind, type KnownMethod, knownMethod, methodsAt, methodsOfKind } from "./known-methods.js";
import { readInput, valueView } from "./stack-values.js";

type Contract = {
  readonly address: string;
  readonly methodIds?: readonly number[] | undefined;
  readonly kinds: readonly string[];
};

const kinds: readonly (readonly [InputKind, string])[] = [
  ["int", "integer"],
  ["address", "address"],
  ["cell", "cell"],
  ["slice", "slice"],
  ["null", "null"],
];
/** Limit on the arguments of a get-method. */
const maxInputs = 8;

/** A form that runs get-methods of a contract: known ones from a list, others by name. */
export function showMethodForm(context: ViewContext, place: HTMLElement, contract: Contract): void {
  const { methodIds } = contract;
  const found = methodsAt(methodIds ?? []);
  const methods = found.length > 0 ? found : methodsOfKind(contract.kinds);
  place.innerHTML = html`<form id="run" novalidate>
      ${methods.length > 0 && html`<div class="chips" role="group" aria-label="Known get-methods">${methods.map(chip)}</div>`}
      <div class="field"><label for="run-method">Name or id</label>
        <input id="run-method" name="method" maxlength="100" autocomplete="off" autocapitalize="off" spellcheck="false"></div>
      <div data-part="inputs"></div>
      <input type="hidden" name="inputs" value="0">
      <div class="actions"><button type="submit" class="primary">Run</button>
        <button type="button" class="quiet" data-add>Add an argument</button>
        <button type="button" class="quiet" data-drop hidden>Remove the last</button></div>
    </form>
    <div data-part="result" role="status"></div>`.text;
  const form = elementOf<HTMLFormElement>(place, "form");
  const inputs = elementOf(form, "[data-part=inputs]");
  const method = elementOf<HTMLInputElement>(form, "#run-method");
  const many = elementOf<HTMLInputElement>(form, "[name=inputs]");
  const result = elementOf(place, "[data-part=result]");

  /** Adds or removes fields to reach the wanted number. */
  const resize = (wanted: number) => {
    const known = knownMethod(method.value.trim());
    while (inputs.childElementCount > wanted) inputs.lastElementChild!.remove();
    for (let index = inputs.childElementCount; index < Math.min(wanted, maxInputs); index++)
      inputs.insertAdjacentHTML("beforeend", inputRow(index, known?.inputs[index]).text);
    elementOf(form, "[data-drop]").hidden = wanted === 0;
  };
  const setMany = (wanted: number) => {
    many.value = String(Math.min(Math.max(wanted, 0), maxInputs));
    // The event saves the number as if it had been typed.
    many.dispatchEvent(new Event("input", { bubbles: true }));
  };
  many.addEventListener("input", () => resize(Number(many.value)));
  form.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("button");
    if (!button) return;
    if (button.dataset["method"] !== undefined) {
      method.value = button.dataset["method"];
      method.dispatchEvent(new Event("input", { bubbles: true }));
      setMany(0);
      setMany(knownMethod(method.value)?.inputs.length ?? 0);
      if (inputs.childElementCount === 0) form.requestSubmit();
      else inputs.querySelector<HTMLElement>("input")?.focus();
    }
    if (button.dataset["add"] !== undefined) setMany(inputs.childElementCount + 1);
    if (button.dataset["drop"] !== undefined) setMany(inputs.childElementCount - 1);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const values = readAll(inputs);
    if (!values || method.value.trim() === "") return;
    void run(context, result, { contract, method: method.value.trim(), values });
  });
}

function chip(method: KnownMethod | number): Markup {
  const [name, text] =
    typeof method === "number" ? [String(method), `id ${method}`] : [method.name, method.name];
  return html`<button type="button" class="chip" data-method="${name}">${text}</button>`;
}

function inputRow(index: number, known: KnownMethod["inputs"][number] | undefined): Markup {
  const label = known?.name ?? `argument ${index + 1}`;
  return html`<div class="field input-row">
    <label for="run-value-${index}">${label}</label>
    <select name="kind-${index}" aria-label="Type of ${label}">${kinds.map(
      ([kind, title]) =>
        html`<option value="${kind}"${kind === (known?.kind ?? "int") && html` selected`}>${title}</option>`,
    )}</select>
    <input id="run-value-${index}" name="value-${index}" aria-describedby="run-problem-${index}" autocomplete="off" autocapitalize="off" spellcheck="false">
    <p class="problem" id="run-problem-${index}" hidden></p>
  </div>`;
}

/** The values of all fields; marks an invalid field and returns `undefined`. */
function readAll(inputs: HTMLElement): StackItem[] | undefined {
  let isRight = true;
  const values = [...inputs.children].map((row) => {
    const kind = elementOf<HTMLSelectElement>(row, "select").value as InputKind;
    const field = elementOf<HTMLInputElement>(row, "input");
    const problem = elementOf(row, ".problem");
    try {
      problem.hidden = true;
      field.setAttribute("aria-invalid", "false");
      return readInput(kind, field.value);
    } catch (error) {
      problem.textContent = `Needed: ${(error as Error).message}.`;
      problem.hidden = false;
      field.setAttribute("aria-invalid", "true");
      if (isRight) field.focus();
      isRight = false;
      return null;
    }
  });
  return isRight ? values : undefined;
}

async function run(
  { call, names, signal }: ViewContext,
  place: HTMLElement,
  { contract, method, values }: { contract: Contract; method: string; values: readonly StackItem[] },
): Promise<void> {
  place.innerHTML = html`<p class="hint">Running…</p>`.text;
  try {
    const answer = await call("runGetMethod", {
      address: contract.address,
      method: /^\d+$/.test(method) ? Number(method) : method,
      stack: stack.encode(values),
    });
    if (signal.aborted) return;
    const { exit_code: code, gas_used: gas } = answer;
    const isGood = hasSucceeded(code);
    place.innerHTML =
      html`<p class="outcome"><span class="pill ${isGood ? "good" : "bad"}">exit ${code}</span>
      ${explainExitCode({ code, contract: contract.kinds })?.text ?? "The contract defines what this code means."} <span class="aside">${gas} gas</span> ${!isGood && whyMarkup(contract.address, method, values)}</p>
      <ol class="values"></ol>`.text;
    const list = elementOf(place, "ol");
    const outputs = knownMethod(method)?.outputs;
    for (const [index, item] of stack.decode(answer.stack).entries()) {
      const row = document.createElement("li");
      row.innerHTML =
        html`<span class="value-name">${(isGood && outputs?.[index]) || `value ${index}`}</span>`.text;
      row.append(valueView(item, names));
      list.append(row);
    }
  } catch (error) {
    if (!signal.aborted) place.innerHTML = failure(error).text;
  }
}

/** A link to the steps of the run; API v3 has no form for null. */
function whyMarkup(address: string, method: string, values: readonly StackItem[]): Markup | undefined {
  const entries = values.map((item) => {
    if (typeof item === "bigint") return { type: "num", value: item.toString() };
    const [type, value] = Object.entries(item ?? {})[0] ?? [];
    return type === "cell" || type === "slice" ? { type, value } : undefined;
  });
  if (!entries.every((each) => each !== undefined)) return undefined;
  return whyRunLink("get_method", { address, method, stack: entries });
}
