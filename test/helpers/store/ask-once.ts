import pg from "pg";

/** The rows of a statement, by a connection for it alone. */
export async function askOnce(url: string, text: string) {
  const client = new pg.Client(url);
  // Reported by the statement.
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
