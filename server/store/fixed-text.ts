import { itemAt } from "../../shared/values/lookups.js";
import type { Statement } from "./database.js";
import type { Fragment } from "./where.js";

/** Stands for a value in a fixed text. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export type Places<Values> = { readonly [Name in keyof Values]: Place };

/**
 * A statement that is planned once, like `plannedOnce`, and whose text is made once: making a long one takes longer than
 * sending it. `make` gets places for the values, each of which is one parameter wherever it stands.
 */
// Module state: a constant that is made when it is first needed.
export function fixedText<Values extends object>(
  make: (places: Places<Values>) => Fragment,
): (values: Values) => Statement {
  let fixed: { text: string; names: readonly (keyof Values)[] } | undefined;
  return (values) => {
    fixed ??= fix(make);
    return { text: fixed.text, values: fixed.names.map((name) => values[name]), isPlannedOnce: true };
  };
}

function fix<Values extends object>(make: (places: Places<Values>) => Fragment) {
  const places = new Proxy({}, { get: (_, name) => new Place(String(name)) }) as Places<Values>;
  const { strings, values } = make(places);
  const names: string[] = [];
  let text = itemAt(strings, 0);
  for (const [at, place] of values.entries()) {
    if (!(place instanceof Place)) throw new TypeError("a fixed text has a value");
    if (!names.includes(place.name)) names.push(place.name);
    text += `$${names.indexOf(place.name) + 1}${strings[at + 1]}`;
  }
  return { text, names: names as (keyof Values)[] };
}
