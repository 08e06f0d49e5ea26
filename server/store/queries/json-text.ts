// JSON as SQL that puts text together: `concat` takes a fraction of the time of json_build_object, the less the fewer
// pieces there are.

/** Pieces of JSON text, one behind the other: as they are, or SQL expressions that are never null. */
export type Json = readonly ({ text: string } | { sql: string })[];

/** `concat` has no more arguments. */
const maxArguments = 100;

/** A string in which nothing has to be escaped. */
export function text(expression: string): Json {
  return [{ text: '"' }, { sql: expression }, { text: '"' }];
}

/** A number, or jsonb. */
export function bare(expression: string): Json {
  return [{ sql: expression }];
}

export function flag(expression: string): Json {
  return [{ sql: `(${expression})::text` }];
}

/** An expression of JSON text, or null for a value that is not there. */
export type Perhaps = string;

/** `null` for what is not there. */
export function orNull(value: Perhaps): Json {
  return [{ sql: `coalesce(${value}, 'null')` }];
}

export function perhapsText(expression: string): Perhaps {
  return `'"' || ${expression} || '"'`;
}

export function perhapsBare(expression: string): Perhaps {
  return `(${expression})::text`;
}

export function when(condition: string, value: Json): Perhaps {
  return `case when ${condition} then ${sqlOf(value)} end`;
}

/** An object; of its optional members those that are there, which come last. */
export function object(
  members: Readonly<Record<string, Json>>,
  optional: Readonly<Record<string, Perhaps>> = {},
): Json {
  return [
    { text: "{" },
    ...Object.entries(members).flatMap(([name, value], i) => [
      { text: `${i === 0 ? "" : ","}"${name}":` },
      ...value,
    ]),
    ...Object.entries(optional).map(([name, value]) => ({ sql: `',"${name}":' || ${value}` })),
    { text: "}" },
  ];
}

/** The text as one expression. */
export function sqlOf(json: Json): string {
  const parts: string[] = [];
  let literal = "";
  for (const piece of json) {
    if ("text" in piece) literal += piece.text;
    else {
      if (literal !== "") parts.push(`'${literal}'`);
      parts.push(piece.sql);
      literal = "";
    }
  }
  if (literal !== "") parts.push(`'${literal}'`);
  return concat(parts);
}

function concat(parts: readonly string[]): string {
  if (parts.length <= maxArguments) return `concat(${parts.join(", ")})`;
  return concat([concat(parts.slice(0, maxArguments)), ...parts.slice(maxArguments)]);
}
