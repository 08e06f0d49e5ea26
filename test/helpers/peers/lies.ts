// Every way of changing an answer in one place: false answers of a server.

type Lie = { path: string; answer: unknown };

/** Copies of an answer, each with one field, element or flag changed, removed or added. */
export function* liesAbout(answer: unknown, path = ""): Generator<Lie> {
  if (answer instanceof Uint8Array) yield* bytesInstead(answer, path);
  else if (Array.isArray(answer)) yield* listsInstead(answer, path);
  else if (typeof answer === "object" && answer !== null) {
    for (const [field, value] of Object.entries(answer))
      for (const lie of liesAbout(value, `${path}.${field}`))
        yield { path: lie.path, answer: { ...answer, [field]: lie.answer } };
  } else
    for (const [index, other] of valuesInstead(answer).entries())
      yield { path: `${path}#${index}`, answer: other };
}

function valuesInstead(value: unknown): unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "bigint")
    return [value + 1n, value ^ (1n << 63n), 0n].filter((other) => other !== value);
  if (typeof value === "number") return [value + 1, value - 1, 0].filter((other) => other !== value);
  return [];
}

function* bytesInstead(bytes: Uint8Array, path: string): Generator<Lie> {
  if (bytes.length === 0) {
    yield { path: `${path} made up`, answer: Uint8Array.of(1, 2, 3) };
    return;
  }
  yield { path: `${path} left out`, answer: new Uint8Array(0) };
  yield { path: `${path} cut`, answer: bytes.subarray(0, bytes.length - 1) };
  for (const at of [0, 0.3, 0.6, 1]) {
    const flipped = new Uint8Array(bytes);
    flipped[Math.floor((bytes.length - 1) * at)]! ^= 0x10;
    yield { path: `${path} flipped at ${at}`, answer: flipped };
  }
}

function* listsInstead(list: readonly unknown[], path: string): Generator<Lie> {
  if (list.length > 0) {
    yield { path: `${path} without the first`, answer: list.slice(1) };
    yield { path: `${path} without the last`, answer: list.slice(0, -1) };
    yield { path: `${path} with one twice`, answer: [...list, list[0]] };
  }
  if (list.length > 1) yield { path: `${path} turned round`, answer: list.toReversed() };
  // Beginning, middle and end stand for all.
  for (const index of new Set([0, list.length >> 1, list.length - 1]))
    if (index >= 0 && index < list.length)
      for (const lie of liesAbout(list[index], `${path}[${index}]`))
        yield { path: lie.path, answer: list.with(index, lie.answer) };
}
