// JSON as SQL that puts text together: `concat` takes a fraction of the time of json_build_object. What is given and
// what comes back are SQL expressions of JSON text; null is a value that is not there.

/** A string, for values in which nothing has to be escaped. */
export function quoted(expression: string): string {
  return `'"' || ${expression} || '"'`;
}

/** Numbers, booleans and jsonb. */
export function bare(expression: string): string {
  return `(${expression})::text`;
}

/** An object with all of its members, those that are not there as `null`. */
export function object(values: Members): string {
  return `concat('{', ${members(values)}, '}')`;
}

/** An object of the members that are there. */
export function objectOfKnown(values: Members): string {
  return `concat('{', substr(concat(${knownMembers(values)}), 2), '}')`;
}

type Members = Readonly<Record<string, string>>;

/** Arguments of a `concat`. */
export function members(values: Members): string {
  return Object.entries(values)
    .map(([name, value], i) => `'${i === 0 ? "" : ","}"${name}":', coalesce(${value}, 'null')`)
    .join(", ");
}

/** Arguments of a `concat` for the members that are there, each behind a comma. */
export function knownMembers(values: Members): string {
  return Object.entries(values)
    .map(([name, value]) => `',"${name}":' || ${value}`)
    .join(", ");
}
