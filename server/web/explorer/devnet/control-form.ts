import type { MethodName } from "../../../../client/registry-types.js";
import { elementOf } from "../../pages/element.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { failure } from "../parts/failure.js";
import { record } from "../parts/record.js";
import { OnceAtATime } from "./once-at-a-time.js";

/** The call of a control. */
export type Request = { readonly method: MethodName; readonly params: Readonly<Record<string, unknown>> };

/** Values of a form by field name; empty fields are absent. */
export type Values = Readonly<Partial<Record<string, string>>>;

/** A form that makes one call: a control of a devnet, a get-method or a message of a contract. */
export type Control = {
  readonly id: string;
  /** Absent if the place of the form has one. */
  readonly title?: string;
  readonly about?: Content;
  readonly fields: readonly Markup[];
  readonly button: string;
  /** Builds the call. Throws a TypeError if the values are invalid. */
  request(values: Values): Request;
  /** Builds the call where that needs data from the service. */
  prepare?(values: Values): Promise<Request>;
  /** Renders the result. */
  resultOf(result: never, values: Values): Content;
};

type Running = {
  run(request: Request): Promise<unknown>;
  /** Called after each successful call. */
  changed(): void;
};

export function controlMarkup({ id, title, about, fields, button }: Control): Markup {
  return html`<form class="control" id="${id}" novalidate>
${title !== undefined && html`<h3>${title}</h3>`}
${about !== undefined && html`<p class="hint">${about}</p>`}
<div class="control-fields">${fields}</div>
<div class="actions"><button type="submit" class="primary">${button}</button></div>
<div class="control-answer" role="status"></div>
<details class="fold"><summary>JSON-RPC</summary><div class="control-call"></div></details>
</form>`;
}

/** Attaches the behaviour of a control to its form. */
export function startControl(form: HTMLFormElement, control: Control, running: Running): void {
  const answer = elementOf(form, ".control-answer");
  const shownCall = elementOf(form, ".control-call");
  const tell = (content: Content) => {
    answer.innerHTML = html`${content}`.text;
  };
  const showCall = () => {
    shownCall.innerHTML = previewOf(control, valuesOf(form)).text;
  };
  form.addEventListener("input", showCall);
  showCall();
  onceAtATime(form, async () => {
    const values = valuesOf(form);
    tell("…");
    try {
      const request = (await control.prepare?.(values)) ?? control.request(values);
      const result = (await running.run(request)) as never;
      tell(html`<div class="done">${control.resultOf(result, values)}</div>`);
      shownCall.innerHTML = requestMarkup(request).text;
      running.changed();
    } catch (error) {
      tell(failure(error));
    }
  });
}

function previewOf(control: Control, values: Values): Markup {
  try {
    return requestMarkup(control.request(values));
  } catch (error) {
    return html`<p class="hint">${(error as Error).message}</p>`;
  }
}

function requestMarkup({ method, params }: Request): Markup {
  return record({ jsonrpc: "2.0", id: 1, method, params });
}

/** Runs `action` when the form is submitted; repeated submits are ignored until it ends. */
function onceAtATime(form: HTMLFormElement, action: () => Promise<void>): void {
  const once = new OnceAtATime();
  const ignoreRepeated = (event: Event) => {
    const isPressed =
      event.type === "keydown" ? (event as KeyboardEvent).key === "Enter" : isSubmit(event.target);
    if (isPressed && OnceAtATime.isRepeated(event)) event.preventDefault();
  };
  form.addEventListener("click", ignoreRepeated);
  form.addEventListener("keydown", ignoreRepeated);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void once.run(form, action);
  });
}

const isSubmit = (target: EventTarget | null) => (target as Element).closest("button[type=submit]") !== null;

function valuesOf(form: HTMLFormElement): Values {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form))
    if (typeof value === "string" && value.trim() !== "") values[name] = value.trim();
  return values;
}

type FieldOptions = {
  readonly value?: string;
  readonly placeholder?: string;
  /** Id of the datalist with suggested values. */
  readonly list?: string;
  readonly inputmode?: "decimal" | "numeric";
};

/** A text field. The label wraps its input, so names may repeat across forms. */
export function textField(
  name: string,
  label: Content,
  { value, placeholder, list, inputmode }: FieldOptions = {},
): Markup {
  return html`<label>${label}<input name="${name}"${value !== undefined && html` value="${value}"`}${placeholder !== undefined && html` placeholder="${placeholder}"`}${list !== undefined && html` list="${list}"`}${inputmode !== undefined && html` inputmode="${inputmode}"`} autocomplete="off" autocapitalize="off" spellcheck="false"></label>`;
}

export function areaField(name: string, label: Content, placeholder = ""): Markup {
  return html`<label class="wide">${label}<textarea name="${name}" rows="3" placeholder="${placeholder}" autocomplete="off" spellcheck="false"></textarea></label>`;
}

export function choiceField(
  name: string,
  label: Content,
  choices: readonly (readonly [value: string, title: string])[],
  chosen?: string,
): Markup {
  return html`<label>${label}<select name="${name}">${choices.map(
    ([value, title]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${title}</option>`,
  )}</select></label>`;
}

export function checkField(name: string, label: Content, isChecked = true): Markup {
  return html`<label class="check"><input type="checkbox" name="${name}" value="yes"${isChecked && html` checked`}>${label}</label>`;
}
