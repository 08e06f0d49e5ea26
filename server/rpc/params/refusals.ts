import type { RefusedParam } from "../../../shared/rpc/refused-param.js";
import { type Fault, type Misfit, unreadable } from "../../../shared/schema/input.js";
import { wantedText } from "../../../shared/schema/wanted.js";
import { beginningOf } from "../../../shared/values/beginning.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { ServiceError } from "../../errors.js";

/** A refused parameter; its key is empty if several are refused together. */
type Problem = { readonly key: string; readonly fault: Fault; readonly misfit: Misfit | undefined };

/** Refused parameters that an error describes, and the characters of each value in it. */
const most = { params: 5, value: 100 } as const;

/** Parse errors come before range errors; otherwise the order of the definition decides. */
export function refuseV2(
  problems: readonly Problem[],
  form: "get" | "post",
  secrets: readonly string[],
): ServiceError {
  const first = problems.find(({ fault }) => fault.stage !== "range") ?? itemAt(problems, 0);
  const { key, fault } = first;
  const shown = fault.stage === "missing" && form === "get" ? (fault.whenEmpty ?? fault) : fault;
  const prefix = { bare: "", range: "failed to validate request: ", parse: undefined, missing: undefined };
  const text = (prefix[shown.stage] ?? `failed to parse ${form} request: `) + shown.message(key);
  return invalidParams(first, text, shown.status, described(problems, secrets));
}

/** Names the first value sent that could not be converted and counts the others; other errors come after. */
export function refuseV3(
  problems: readonly Problem[],
  spelling: ReadonlyMap<string, string>,
  secrets: readonly string[],
): ServiceError {
  const sent = [...spelling.keys()];
  const unconverted = problems
    .filter(({ fault }) => fault.stage === "parse")
    .sort((a, b) => sent.indexOf(a.key) - sent.indexOf(b.key));
  const first = unconverted[0] ?? itemAt(problems, 0);
  const { key, fault } = first;
  const refused = described(problems, secrets);
  if (fault.stage !== "parse") return invalidParams(first, fault.message(key), fault.status, refused);
  const element = fault.index === undefined ? "" : `index ${fault.index} of `;
  const more = unconverted.length - 1;
  const suffix = more === 0 ? "" : ` (and ${more} other error${more === 1 ? "" : "s"})`;
  const name = spelling.get(key) ?? key;
  const text = `failed to decode: schema: error converting value for ${element}"${name}"${suffix}`;
  return invalidParams(first, text, undefined, refused);
}

function invalidParams(
  { key }: Problem,
  text: string,
  status: number | undefined,
  refused: readonly RefusedParam[],
): ServiceError {
  return new ServiceError("invalid-params", text, {
    ...(status !== undefined && { status }),
    data: { ...(key !== "" && { param: key }), ...(refused.length > 0 && { refused }) },
  });
}

/** What was wanted and what was given, as `error.data` has it. */
function described(problems: readonly Problem[], secrets: readonly string[]): RefusedParam[] {
  return problems.slice(0, most.params).flatMap(({ key, fault, misfit }) => {
    if (!misfit) return [];
    const { schema, given } = misfit;
    const isOfWords = schema["type"] === "string" && ("description" in schema || "enum" in schema);
    const text = fault.message(key);
    const isReason = given !== undefined && !isOfWords && !text.endsWith(unreadable.message(key));
    const shown = secrets.includes(key) ? "…" : beginningOf(given, most.value);
    return {
      param: key,
      ...(fault.index !== undefined && { index: fault.index }),
      wanted: wantedText(schema),
      ...(given !== undefined && { given: shown }),
      ...(isReason && { reason: text }),
    };
  });
}
