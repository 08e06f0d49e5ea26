import pg from "pg";
import { describe, expect, test } from "vitest";
import { canReadRowMessages } from "../../../server/store/wire/pg-members.js";

type Inside = { connection?: { attachListeners?: unknown; emit: (...event: unknown[]) => boolean } };

/** A version of pg that is another one inside. */
function clientWith(change: (client: Inside) => void): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      change(this as unknown as Inside);
    }
  };
}

describe("Rows are read as bytes", () => {
  test("with this version of pg", () => {
    expect(canReadRowMessages()).toBe(true);
  });

  test.each<[string, (client: Inside) => void]>([
    ["has no connection", (client) => void delete client.connection],
    [
      "does not attach to its stream by that name",
      ({ connection }) => {
        connection!.attachListeners = undefined;
      },
    ],
    [
      "attaches to its stream without that function",
      ({ connection }) => {
        const attach = connection!.attachListeners;
        Object.defineProperty(connection, "attachListeners", { get: () => attach, set: () => {} });
      },
    ],
    [
      "has another event for rows",
      ({ connection }) => {
        const emit = connection!.emit.bind(connection);
        connection!.emit = (name, ...rest) => emit(name === "dataRow" ? "row" : name, ...rest);
      },
    ],
  ])("not with one that %s", (_, change) => {
    expect(canReadRowMessages(clientWith(change))).toBe(false);
  });
});
