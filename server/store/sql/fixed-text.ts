import { itemAt } from "../../../shared/values/lookups.js";
import type { Statement } from "../database.js";
import type { Fragment } from "./where.js";

/** Stands for a value in a fixed text. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export type Places<Values> = { readonly [Name in keyof Values]-?: Place };

const places = new Proxy({}, { get: (_, name) => new Place(String(name)) });

/**
 * A statement that is planned once, like `plannedOnce`. `make` gets places for the values, each of which is one parameter
 * wherever it stands.
 */
export function fixedText<Values extends object>(
  make: (places: Places<Values>) => Fragment,
): (values: Values) => Statement {
  return (given) => {
    const { strings, values } = make(places as Places<Values>);
    const names: string[] = [];
    let text = itemAt(strings, 0);
    for (const [at, place] of values.entries()) {
      if (!(place instanceof Place)) throw new TypeError("a fixed text has a value");
      if (!names.includes(place.name)) names.push(place.name);
      text += `$${names.indexOf(place.name) + 1}${strings[at + 1]}`;
    }
    return { text, values: names.map((name) => given[name as keyof Values]), isPlannedOnce: true };
  };
}
