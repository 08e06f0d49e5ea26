// Reads the report of a run of Stryker: the mutants of each file, and whether the tests noticed them.

/** Results of the files in a report: the place, the change and the status of each mutant. */
export function resultsOf(report) {
  return Object.fromEntries(
    Object.entries(report.files).map(([path, { source, mutants }]) => [
      path,
      mutants.filter(({ status }) => outcomes.has(status)).map((mutant) => resultOf(source, mutant)),
    ]),
  );
}

/** Whether the tests noticed a mutant. The others could not be run, or are ignored. */
const outcomes = new Map([
  ["Killed", true],
  ["Timeout", true],
  ["Survived", false],
  ["NoCoverage", false],
]);

function resultOf(source, { location, mutatorName, replacement, status }) {
  const { start, end } = location;
  const changed = oneLine(textAt(source, location));
  return { start, end, status, change: `${mutatorName}: ${changed} -> ${oneLine(replacement ?? "")}` };
}

function textAt(source, { start, end }) {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join("\n");
}

const longest = 100;

function oneLine(text) {
  const flat = text.replace(/\s+/g, " ");
  return flat.length > longest ? `${flat.slice(0, longest)}...` : flat;
}

const isLeft = ({ status }) => !outcomes.get(status);

/** The places of mutants that were not noticed, as Stryker's option `mutate` has them: its columns begin at 0 there. */
export function placesLeft(results) {
  const places = Object.entries(results).flatMap(([path, mutants]) =>
    mutants
      .filter(isLeft)
      .map(({ start, end }) => `${path}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`),
  );
  return [...new Set(places)];
}

/** The results with the mutants that another run noticed. */
export function withResults(results, others) {
  const keyOf = ({ start, end, change }) => JSON.stringify([start, end, change]);
  return Object.fromEntries(
    Object.entries(results).map(([path, mutants]) => {
      const noticed = new Map(
        (others[path] ?? []).filter((each) => !isLeft(each)).map((each) => [keyOf(each), each]),
      );
      return [path, mutants.map((each) => noticed.get(keyOf(each)) ?? each)];
    }),
  );
}

/** The share of mutants that were noticed, of all files. */
export function scoreOf(results) {
  const mutants = Object.values(results).flat();
  const killed = mutants.filter(({ status }) => outcomes.get(status)).length;
  const percent = mutants.length === 0 ? "-" : ((100 * killed) / mutants.length).toFixed(1);
  return { mutants: mutants.length, killed, percent };
}

/** A line for each file, for each mutant that was not noticed, and for all. */
export function linesOf(results) {
  const files = Object.entries(results).flatMap(([path, mutants]) => {
    const left = mutants.filter(isLeft);
    return [
      `${path}: ${scoreLine(scoreOf({ [path]: mutants }))}`,
      ...left.map(({ start: { line, column }, status, change }) => {
        const untested = status === "NoCoverage" ? " (no test runs this)" : "";
        return `  ${path}:${line}:${column} ${change}${untested}`;
      }),
    ];
  });
  return [...files, `all: ${scoreLine(scoreOf(results))}`];
}

function scoreLine({ mutants, killed, percent }) {
  return `${killed} of ${mutants} mutants noticed, ${percent} %`;
}
