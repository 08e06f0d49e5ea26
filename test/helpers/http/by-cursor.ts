import { expect } from "vitest";
import type { TestApp } from "./app.js";

/** The pages of a list of v3, from cursor to cursor until it is null. `query` has all other parameters. */
export async function* pagesByCursor<Answer>(
  app: Pick<TestApp, "ask">,
  path: string,
  query: URLSearchParams,
): AsyncGenerator<Answer> {
  let cursor: string | null = "start";
  const before = new Set<string>();
  while (cursor !== null) {
    expect(before, "cursors go round").not.toContain(cursor);
    before.add(cursor);
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
