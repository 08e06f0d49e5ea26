/** Answers up to this length are shown whole. */
const wholeLength = 1_000;

/** A long answer with the first entry of each list, and of each map by addresses or hashes. */
export function shortened(answer: unknown): unknown {
  return answer === undefined || JSON.stringify(answer).length <= wholeLength
    ? answer
    : withFirstOfEach(answer);
}

function withFirstOfEach(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (isTuple(value) ? value : value.slice(0, 1)).map(withFirstOfEach);
  const entries = Object.entries(value);
  const kept = entries.every(([key]) => isId(key)) ? entries.slice(0, 1) : entries;
  return Object.fromEntries(kept.map(([key, each]) => [key, withFirstOfEach(each)]));
}

/** A value on a stack of v2: its type and itself. */
const isTuple = (list: readonly unknown[]) => list.length === 2 && typeof list[0] === "string";

const shortestId = 40;
const isId = (key: string) => key.length >= shortestId;
