import { AbiError } from "./abi-error.js";

/** Longest name of a type, field or method. */
const maxName = 256;
const maxDescription = 4096;

/** A member of untrusted JSON. Every read checks the type and states the place of a fault. */
export class Shape {
  readonly value: unknown;
  /** The name of the root, of a member, or the place of an item. */
  readonly #name: string | number;
  readonly #within: Shape | undefined;

  constructor(value: unknown, name: string | number, within?: Shape) {
    this.value = value;
    this.#name = name;
    this.#within = within;
  }

  /** For messages. Files have many members, and few faults. */
  get #place(): string {
    const name = this.#name;
    if (!this.#within) return String(name);
    return this.#within.#place + (typeof name === "number" ? `[${name}]` : `.${name}`);
  }

  /** A member of an object; its value is undefined if the object has none of this name. */
  member(name: string): Shape {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value))
      this.refuse("expected an object");
    const own = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
    return new Shape(own, name, this);
  }

  /** Items of a list; none if the member is absent. */
  list(max: number): Shape[] {
    const { value } = this;
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) this.refuse("expected a list");
    const items = value as unknown[];
    if (items.length > max) this.refuse(`a list has at most ${max} items here`);
    return items.map((item, i) => new Shape(item, i, this));
  }

  /** Members of an object; none if it is absent. */
  entries(max: number): [name: string, Shape][] {
    const { value } = this;
    if (value === undefined || value === null) return [];
    if (typeof value !== "object" || Array.isArray(value)) this.refuse("expected an object");
    const names = Object.keys(value as object);
    if (names.length > max) this.refuse(`an object has at most ${max} members here`);
    return names.map((name) => [name, this.member(name)]);
  }

  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  integer(min: number, max: number): number {
    const { value } = this;
    if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max)
      this.refuse(`expected an integer from ${min} to ${max}`);
    return value as number;
  }

  /** An integer of up to 257 bits, as a number or as text. */
  bigInteger(): bigint {
    const { value } = this;
    if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
    if (typeof value !== "string" || !/^(-?\d{1,78}|0x[0-9a-f]{1,65})$/i.test(value))
      this.refuse("expected an integer");
    return BigInt(value as string);
  }

  /** A name; empty if it is absent and `optional`. */
  name(optional: "optional" | "needed" = "needed"): string {
    const { value } = this;
    if (this.isAbsent && optional === "optional") return "";
    if (typeof value !== "string" || value.length > maxName || (value === "" && optional === "needed"))
      this.refuse(`expected a name of at most ${maxName} characters`);
    return value as string;
  }

  /** A name that is also a member of records. */
  memberName(): string {
    const name = this.name();
    if (name === "__proto__" || name === "$type" || name === "@type") this.refuse("the name is reserved");
    return name;
  }

  /** Text for people, cut to a length; empty if it is absent. */
  description(): string {
    return typeof this.value === "string" ? this.value.slice(0, maxDescription) : "";
  }

  refuse(reason: string): never {
    throw new AbiError(`${this.#place}: ${reason}`);
  }
}
