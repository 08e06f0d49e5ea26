import { z } from "zod";
import { itemAt } from "../../../shared/values/lookups.js";

/** Methods and origins that one key may have. */
const maxPatterns = 100;

const methodPattern = z
  .string()
  .max(100)
  .regex(
    /^[a-zA-Z]\w*(\.[a-zA-Z]\w*)*(\.\*)?$/,
    "a method is a name such as v3.jetton.wallets, or a namespace such as v3.jetton.* or v2.*",
  );

const originPattern = z
  .string()
  .max(253)
  .regex(
    /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
    "an origin is a host in lower case such as app.example.com, or *.example.com for all hosts below it, without scheme and port",
  );

/** Members of a key's record. Without methods it is for all of them, without origins for pages of all hosts. */
export const keyRules = {
  methods: z.array(methodPattern).min(1).max(maxPatterns).optional(),
  origins: z.array(originPattern).min(1).max(maxPatterns).optional(),
};

const rulesSchema = z.strictObject(keyRules);

/** The methods and origins that a key is for. */
export type KeyRules = z.output<typeof rulesSchema>;

/** The rules of a record; `undefined` if it has none. */
export function rulesOf({ methods, origins }: KeyRules): KeyRules | undefined {
  if (methods === undefined && origins === undefined) return undefined;
  return { ...(methods && { methods }), ...(origins && { origins }) };
}

/** The rules of a key, prepared for many checks. */
export class RuleCheck {
  readonly #methods: ReadonlySet<string> | undefined;
  readonly #origins: ReadonlySet<string> | undefined;

  constructor({ methods, origins }: KeyRules) {
    this.#methods = methods && new Set(methods);
    this.#origins = origins && new Set(origins);
  }

  allowsMethod(name: string): boolean {
    const allowed = this.#methods;
    return (
      allowed === undefined ||
      allowed.has(name) ||
      namespacesOf(name).some((each) => allowed.has(`${each}.*`))
    );
  }

  /** `origin`: as browsers send it. A request without one comes from a program, which could send any. */
  allowsOrigin(origin: string): boolean {
    const allowed = this.#origins;
    if (allowed === undefined) return true;
    // Pages in a sandbox send "null".
    if (!URL.canParse(origin)) return false;
    const { hostname } = new URL(origin);
    return allowed.has(hostname) || parentsOf(hostname).some((each) => allowed.has(`*.${each}`));
  }
}

/** The namespaces of a method, which its name begins with. Names without one have that of their API. */
function namespacesOf(name: string): string[] {
  const parts = name.split(".");
  if (parts.length > 1) return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("."));
  return [name.endsWith("subscribe") ? "subscription" : "v2"];
}

/** The domains that a host belongs to, beginning with the longest. */
function parentsOf(host: string): string[] {
  const labels = host.split(".");
  return labels.slice(1).map((_, at) => labels.slice(at + 1).join("."));
}

/** The patterns that match none of the methods. */
export function unknownPatterns(patterns: readonly string[], methods: Iterable<string>): string[] {
  const known = new Set<string>();
  for (const name of methods) {
    known.add(name);
    for (const each of namespacesOf(name)) known.add(`${each}.*`);
  }
  return patterns.filter((pattern) => !known.has(pattern));
}

/** The problem of the first pattern that is none; `undefined` if all are. */
export function problemOfRules(rules: KeyRules): string | undefined {
  const read = rulesSchema.safeParse(rules);
  if (read.success) return undefined;
  const { path, message } = itemAt(read.error.issues, 0);
  const value = path.length === 2 ? rules[path[0] as keyof KeyRules]?.[path[1] as number] : undefined;
  return value === undefined ? `${String(path[0])}: ${message}` : `${JSON.stringify(value)}: ${message}`;
}
