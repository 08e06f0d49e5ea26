import { Gauge, type Registry } from "prom-client";
import { countersOf, gaugesOf, gaugesPer } from "./metric-makers.js";

/** The connections and tables of a database. */
export type DatabaseNumbers = {
  /** Connections of this process, and how often and how long statements and answers have waited for one. */
  connections: { open: number; idle: number; waiting: number; waits: number; waitedSec: number };
  /** Tables with their partitions; absent until they are read. */
  tables: readonly TableNumbers[];
};

export type TableNumbers = { table: string; bytes: number; rows: number; deadRows: number };

export function watchDatabase(registers: Registry[], numbers: () => DatabaseNumbers): void {
  new Gauge({
    name: "tonwire_database_connections",
    help: "Connections of this process to the database, by state: idle, or busy",
    labelNames: ["state"],
    registers,
    collect() {
      const { open, idle } = numbers().connections;
      this.set({ state: "idle" }, idle);
      this.set({ state: "busy" }, open - idle);
    },
  });
  const gauge = gaugesOf("database", registers, numbers);
  gauge(
    "waiting",
    "Statements and answers that wait for a connection now",
    ({ connections }) => connections.waiting,
  );
  const counter = countersOf("database", registers, numbers);
  counter("waits", "Statements and answers that got a connection", ({ connections }) => connections.waits);
  counter("wait_seconds", "Time they have waited for it", ({ connections }) => connections.waitedSec);
  const tableGauge = gaugesPer("database_table", "table", registers, () =>
    numbers().tables.map((each) => [each.table, each] as const),
  );
  tableGauge("bytes", "Size on disk of a table with its partitions and indexes", ({ bytes }) => bytes);
  tableGauge("rows", "Rows, as the database estimates them", ({ rows }) => rows);
  tableGauge("dead_rows", "Rows that are deleted and not vacuumed yet", ({ deadRows }) => deadRows);
}
