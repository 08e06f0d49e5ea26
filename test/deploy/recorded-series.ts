import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/** Time between two reads of the metrics, as `prometheus.yml` has it. */
const scrapeSec = 15;

/** The metrics of processes at some moments, as Prometheus stores them. */
export class RecordedSeries {
  readonly #values = new Map<string, string[]>();
  #scrapes = 0;

  /** Adds what the processes have at one moment; keys are the names of instances. */
  add(texts: Readonly<Record<string, string>>): void {
    for (const [instance, text] of Object.entries(texts))
      for (const line of ["up 1", ...text.split("\n")]) {
        const [, name, labels, value] = /^([a-z]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
        if (name === undefined) continue;
        const own = `instance="${instance}", job="tonwire"`;
        const series = `${name}{${labels === undefined ? own : `${labels}, ${own}`}}`;
        const values = this.#values.get(series) ?? Array<string>(this.#scrapes).fill("_");
        values.push(value!);
        this.#values.set(series, values);
      }
    this.#scrapes++;
    for (const values of this.#values.values()) if (values.length < this.#scrapes) values.push("_");
  }

  /** The expressions of PromQL that have no number at the last moment, by promtool's own evaluation. */
  empty(expressions: readonly string[]): string[] {
    const input_series = [...this.#values].map(([series, values]) => ({ series, values: values.join(" ") }));
    const place = join(temporaryFolder(), "panels.yml");
    // Not a number is not equal to itself.
    const counts = expressions.map((expr) => `count((${expr}) == (${expr})) > bool 0`);
    const promql_expr_test = counts.map((expr) => ({
      expr,
      eval_time: `${scrapeSec * (this.#scrapes - 1)}s`,
      exp_samples: [{ labels: "{}", value: 1 }],
    }));
    const interval = `${scrapeSec}s`;
    const tests = [{ interval, input_series, promql_expr_test }];
    writeFileSync(place, stringify({ evaluation_interval: interval, tests }));
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", place], { encoding: "utf8" });
    const output = stdout + stderr;
    const failed = expressions.filter((_, at) => output.includes(`expr: ${JSON.stringify(counts[at])},`));
    if (status !== 0 && failed.length === 0) throw new Error(`promtool does not read the series: ${output}`);
    return failed;
  }
}
