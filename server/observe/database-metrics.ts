import { Gauge, type Registry } from "prom-client";
import { countersOf, gaugesOf, gaugesPer } from "./metric-makers.js";

/** The connections and tables of a database. */
export type DatabaseNumbers = {
  /** Connections of this process, and how often and how long statements and answers have waited for one. */
  connections: { open: number; idle: number; waiting: number; waits: number; waitedSec: number };
  /** Tables with their partitions; absent until they are read. */
  tables: readonly TableNumbers[];
  /** Whether notifications arrive. */
  hearsNotifications: boolean;
  /** Whether the user of the database lacks rights to read the index. */
  isForbidden: boolean;
  /** Notifications of the process to itself that did not arrive. */
  lostNotifications: number;
  /** Whether the processes can tell each other of messages and changes. */
  hasBus: boolean;
  /** Standbys that answers are read from. */
  standbys: readonly StandbyNumbers[];
};

type StandbyNumbers = { name: string; state: string; lagMs: number; connections: number; hedges: number };

type TableNumbers = {
  table: string;
  bytes: number;
  rows: number;
  deadRows: number;
  /** The bytes on each node; none for an index on one server. */
  nodes: readonly { node: string; bytes: number }[];
};

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
  const gauge = gaugesOf("database", registers, numbers, "sum");
  gauge(
    "waiting",
    "Statements and answers that wait for a connection now",
    ({ connections }) => connections.waiting,
  );
  const counter = countersOf("database", registers, numbers);
  counter("waits", "Statements and answers that got a connection", ({ connections }) => connections.waits);
  counter("wait_seconds", "Time they have waited for it", ({ connections }) => connections.waitedSec);
  gauge("notifies", "1 while notifications of the database arrive, else 0", ({ hearsNotifications }) =>
    Number(hearsNotifications),
  );
  gauge("forbidden", "1 while the user of the database lacks rights to read the index, else 0", (each) =>
    Number(each.isForbidden),
  );
  counter(
    "lost_notifications",
    "Notifications of the process to itself that did not arrive in time",
    ({ lostNotifications }) => lostNotifications,
  );
  gaugesOf("bus", registers, numbers)(
    "connected",
    "1 while processes of the index can tell each other of sent messages and new blocks, else 0",
    ({ hasBus }) => Number(hasBus),
  );
  const standbyGauge = gaugesPer("database_standby", "standby", registers, () =>
    numbers().standbys.map((each) => [each.name, each] as const),
  );
  standbyGauge("used", "1 while answers are read from a standby, 0 while it is left out", ({ state }) =>
    Number(state === "used"),
  );
  standbyGauge(
    "lag_seconds",
    "For how long a version is known that a standby lacks",
    ({ lagMs }) => lagMs / 1000,
  );
  standbyGauge("connections", "Connections of this process to a standby", ({ connections }) => connections);
  counter("hedges", "Reads of slow standbys that another server was asked for, too", ({ standbys }) =>
    standbys.reduce((sum, { hedges }) => sum + hedges, 0),
  );
  const tableGauge = gaugesPer("database_table", "table", registers, () =>
    numbers().tables.map((each) => [each.table, each] as const),
  );
  tableGauge("bytes", "Size on disk of a table with its partitions and indexes", ({ bytes }) => bytes);
  tableGauge("rows", "Rows, as the database estimates them", ({ rows }) => rows);
  tableGauge("dead_rows", "Rows that are deleted and not vacuumed yet", ({ deadRows }) => deadRows);
  new Gauge({
    name: "tonwire_database_node_bytes",
    help: "Size on disk of a table's part on a node of a cluster",
    labelNames: ["node", "table"],
    registers,
    collect() {
      this.reset();
      for (const { table, nodes } of numbers().tables)
        for (const { node, bytes } of nodes) this.set({ node, table }, bytes);
    },
  });
}
