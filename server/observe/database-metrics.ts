import { Counter, Gauge, type Registry } from "prom-client";

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
  new Gauge({
    name: "tonwire_database_waiting",
    help: "Statements and answers that wait for a connection now",
    registers,
    collect() {
      this.set(numbers().connections.waiting);
    },
  });
  const counter = (name: string, help: string, value: (numbers: DatabaseNumbers) => number) =>
    new Counter({
      name: `tonwire_database_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value(numbers()));
      },
    });
  counter("waits", "Statements and answers that got a connection", ({ connections }) => connections.waits);
  counter("wait_seconds", "Time they have waited for it", ({ connections }) => connections.waitedSec);
  const tableGauge = (name: string, help: string, value: (table: TableNumbers) => number) =>
    new Gauge({
      name: `tonwire_database_table_${name}`,
      help,
      labelNames: ["table"],
      registers,
      collect() {
        this.reset();
        for (const each of numbers().tables) this.set({ table: each.table }, value(each));
      },
    });
  tableGauge("bytes", "Size on disk of a table with its partitions and indexes", ({ bytes }) => bytes);
  tableGauge("rows", "Rows, as the database estimates them", ({ rows }) => rows);
  tableGauge("dead_rows", "Rows that are deleted and not vacuumed yet", ({ deadRows }) => deadRows);
}
