import type { CopyRows, Database, Sql, Statement, Transaction } from "../../../server/store/database.js";

/**
 * Gets each statement, or rows that are copied, and runs it. `within` is the same for all of a transaction, and undefined for a
 * statement by itself.
 */
export type Watch = <T>(
  step: Pick<Statement, "text" | "values"> | CopyRows,
  run: () => Promise<T>,
  within?: Transaction,
) => Promise<T>;

/** Connections whose statements are watched. */
export function watchedSql(sql: Sql, watch: Watch): Sql {
  return {
    query: (statement, options) => watch(statement, () => sql.query(statement, options)),
    transaction: (work, options) =>
      sql.transaction((transaction) => work(watchedTransaction(transaction, watch)), options),
    isDivided: () => sql.isDivided(),
  };
}

function watchedTransaction(transaction: Transaction, watch: Watch): Transaction {
  return {
    query: (statement, options) => watch(statement, () => transaction.query(statement, options), transaction),
    script: (text) => watch({ text, values: [] }, () => transaction.script(text), transaction),
    copyOut: (source) => transaction.copyOut(source),
    async write(steps) {
      let rows = 0;
      for (const step of steps) rows += await watch(step, () => transaction.write([step]), transaction);
      return rows;
    },
    isDivided: () => transaction.isDivided(),
  };
}

/** A database all of whose statements are watched. */
export function watchedDatabase(database: Database, watch: Watch): Database {
  const sql: Database["sql"] = (options) => watchedSql(database.sql(options), watch);
  return new Proxy(database, {
    get(target, name) {
      if (name === "sql") return sql;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
