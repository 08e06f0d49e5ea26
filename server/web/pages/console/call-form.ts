import type { FieldKind } from "../fields.js";
import { jsonIn } from "../json-text.js";
import type { TypedCall } from "../request.js";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Reads the form; marks an invalid field with the problem and returns `undefined`. */
export function readCall(form: HTMLFormElement, method: string): TypedCall | undefined {
  const params = new Map<string, string>();
  let bad: Control | undefined;
  for (const control of controlsOf(form)) {
    const value = readValue(control);
    showProblem(control, value instanceof Error ? value.message : undefined);
    if (value instanceof Error) bad ??= control;
    else if (value !== undefined) params.set(control.name, value);
  }
  bad?.focus();
  return bad ? undefined : { method, params };
}

/** As `readCall`, for a preview: invalid fields are skipped and not marked. */
export function peekCall(form: HTMLFormElement, method: string): TypedCall {
  const values = controlsOf(form).map((control) => [control.name, readValue(control)] as const);
  const read = values.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return { method, params: new Map(read) };
}

/** Fills the form with JSON values; fields without a value become empty. */
export function fillForm(form: HTMLFormElement, params: ReadonlyMap<string, string>): void {
  for (const control of controlsOf(form)) {
    const json = params.get(control.name);
    control.value = json === undefined ? "" : fieldText(control.dataset["kind"] as FieldKind, json);
    showProblem(control, undefined);
  }
}

/** Fills the form from an address's query: a list repeats its parameter for each item. Other fields stay unchanged. */
export function fillFromQuery(form: HTMLFormElement, query: URLSearchParams): void {
  for (const control of controlsOf(form)) {
    const texts = query.getAll(control.name);
    if (texts.length > 0) control.value = texts.join("\n");
  }
}

/** The form's values as an address's query. */
export function queryOf(form: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const control of controlsOf(form)) {
    const texts = control.dataset["kind"] === "lines" ? linesOf(control.value) : [control.value.trim()];
    for (const text of texts) if (text !== "") query.append(control.name, text);
  }
  return query.toString();
}

function fieldText(kind: FieldKind, json: string): string {
  if (kind === "json") return JSON.stringify(JSON.parse(json), null, 2);
  const value = JSON.parse(json) as unknown;
  if (kind === "lines" && Array.isArray(value)) return value.join("\n");
  return typeof value === "string" ? value : json;
}

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.querySelectorAll<Control>("[data-kind]")];
}

/** The value as JSON text; `undefined` for an empty field. */
function readValue(control: Control): string | undefined | Error {
  const text = control.value;
  if (text.trim() === "") return undefined;
  switch (control.dataset["kind"] as FieldKind) {
    case "flag":
      return text;
    case "number":
      // Other text is sent as a string, so that the service's own error is shown.
      return /^-?(0|[1-9]\d*)$/.test(text.trim()) && Number.isSafeInteger(Number(text))
        ? text.trim()
        : JSON.stringify(text.trim());
    case "lines":
      return JSON.stringify(linesOf(text));
    case "json":
      return jsonIn(text) !== undefined ? text.trim() : new Error("Not valid JSON.");
    default:
      return JSON.stringify(text.trim());
  }
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

function showProblem(control: Control, problem: string | undefined): void {
  const place = document.getElementById(`${control.id}-problem`);
  control.setAttribute("aria-invalid", String(problem !== undefined));
  if (!place) return;
  place.hidden = problem === undefined;
  place.textContent = problem ?? "";
}
