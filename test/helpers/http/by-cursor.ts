import { expect } from "vitest";
import type { TestApp } from "./app.js";

/** So many pages are no list of a test: its cursors go round. */
const maxPages = 5_000;

/** The pages of a list of v3, from cursor to cursor until it is null. `query` has all other parameters. */
export async function* pagesByCursor<Answer>(
  app: Pick<TestApp, "ask">,
  path: string,
  query: URLSearchParams,
): AsyncGenerator<Answer> {
  let cursor: string | null = "start";
  for (let count = 0; cursor !== null; count++) {
    expect(count).toBeLessThan(maxPages);
    const asked = new URLSearchParams(query);
    asked.append("cursor", cursor);
    const { status, text, json, headers } = await app.ask(`/api/v3/${path}?${asked}`);
    expect(status, text).toBe(200);
    yield json as Answer;
    cursor = nextCursor(json as object, headers);
  }
}

/** Arrays have it in a header. */
function nextCursor(answer: object, headers: Headers): string | null {
  if (Array.isArray(answer)) return headers.get("X-Next-Cursor");
  expect(answer).toHaveProperty("cursor");
  return (answer as { cursor: string | null }).cursor;
}
