import type { z } from "zod";
import { isJsonObject } from "../../../shared/values/json.js";
import { memberOf } from "../../../shared/values/lookups.js";
import { ServiceError } from "../../errors.js";
import { takes } from "./params.js";

type Values = Readonly<Record<string, unknown>>;

/** Gives the parameters of one method their names where a call has them by position, in the order of their definition. */
export class Positions {
  readonly #shape: Readonly<Record<string, z.ZodType>>;
  readonly #names: readonly string[];
  /** Whether an object may be the first parameter; known after the first call with an object alone. */
  #beginsWithObject: boolean | undefined;

  constructor({ shape }: z.ZodObject) {
    this.#shape = shape as Readonly<Record<string, z.ZodType>>;
    this.#names = Object.keys(shape);
  }

  /** One object alone has the parameters by name, unless it may be the first parameter. */
  named(values: readonly unknown[]): Values | ServiceError {
    const [first] = values;
    if (values.length === 1 && isJsonObject(first) && !this.#mayBeginWithObject()) return first;
    if (values.length > this.#names.length) return this.#tooMany();
    return Object.fromEntries(values.map((value, place) => [this.#names[place], value]));
  }

  #mayBeginWithObject(): boolean {
    const [name] = this.#names;
    this.#beginsWithObject ??= name !== undefined && takes(memberOf(this.#shape, name), "object");
    return this.#beginsWithObject;
  }

  #tooMany(): ServiceError {
    const known = this.#names.length > 0 ? this.#names.join(", ") : "none";
    const data = { max: this.#names.length };
    return new ServiceError("invalid-params", `too many parameters: the method takes ${known}`, { data });
  }
}
