import type { MethodName } from "../../../../client/registry-types.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { failure } from "../parts/failure.js";
import { record } from "../parts/record.js";
import { Once } from "./once.js";

/** A call that a control makes. */
export type Request = { readonly method: MethodName; readonly params: Readonly<Record<string, unknown>> };

/** Fields of a form by name; those that are empty are absent. */
export type Values = Readonly<Partial<Record<string, string>>>;

/** A control of the devnet: a form that makes one call. */
export type Control = {
  readonly id: string;
  readonly title: string;
  readonly about?: Content;
  readonly fields: readonly Markup[];
  readonly button: string;
  /** The call. Throws a TypeError if it cannot be made from the values. */
  request(values: Values): Request;
  /** Prepares what `request` cannot know without asking the service. */
  prepare?(values: Values): Promise<Request>;
  /** What came of it. */
  told(result: never, values: Values): Content;
};

export type Running = {
  run(request: Request): Promise<unknown>;
  /** Called after each call that succeeded. */
  changed(): void;
};

export function controlMarkup({ id, title, about, fields, button }: Control): Markup {
  return html`<form class="control" id="${id}" novalidate>
<h3>${title}</h3>
${about !== undefined && html`<p class="hint">${about}</p>`}
<div class="control-fields">${fields}</div>
<div class="actions"><button type="submit" class="primary">${button}</button></div>
<div class="control-answer" role="status"></div>
<details class="fold"><summary>JSON-RPC</summary><div class="control-call"></div></details>
</form>`;
}

/** Makes the form of a control work. */
export function startControl(form: HTMLFormElement, control: Control, running: Running): void {
  const answer = form.querySelector<HTMLElement>(".control-answer")!;
  const shownCall = form.querySelector<HTMLElement>(".control-call")!;
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
      tell(html`<p class="done">${control.told(result, values)}</p>`);
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

/** Runs `action` when the form is sent, once however often that is pressed. */
function onceAtATime(form: HTMLFormElement, action: () => Promise<void>): void {
  const once = new Once();
  const ignoreRepeated = (event: Event) => {
    const isPressed =
      event.type === "keydown" ? (event as KeyboardEvent).key === "Enter" : isSubmit(event.target);
    if (isPressed && Once.isRepeated(event)) event.preventDefault();
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
  /** Id of a list of values to choose from. */
  readonly list?: string;
  readonly inputmode?: "decimal" | "numeric";
};

/** A line of text. Its label contains it, so that names may be the same in several forms. */
export function textField(
  name: string,
  label: string,
  { value, placeholder, list, inputmode }: FieldOptions = {},
): Markup {
  return html`<label>${label}<input name="${name}"${value !== undefined && html` value="${value}"`}${placeholder !== undefined && html` placeholder="${placeholder}"`}${list !== undefined && html` list="${list}"`}${inputmode !== undefined && html` inputmode="${inputmode}"`} autocomplete="off" autocapitalize="off" spellcheck="false"></label>`;
}

export function areaField(name: string, label: string, placeholder = ""): Markup {
  return html`<label class="wide">${label}<textarea name="${name}" rows="3" placeholder="${placeholder}" autocomplete="off" spellcheck="false"></textarea></label>`;
}

export function choiceField(
  name: string,
  label: string,
  choices: readonly (readonly [value: string, title: string])[],
  chosen?: string,
): Markup {
  return html`<label>${label}<select name="${name}">${choices.map(
    ([value, title]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${title}</option>`,
  )}</select></label>`;
}

export function checkField(name: string, label: string): Markup {
  return html`<label class="check"><input type="checkbox" name="${name}" value="yes" checked>${label}</label>`;
}
