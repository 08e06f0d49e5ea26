import { describe, expect, it } from "vitest";
import { OperationsLog, type OperationsState } from "../../server/process/operations-log.js";

type Index = NonNullable<OperationsState["index"]>;

function watch() {
  const lines: string[] = [];
  const tell = (level: string) => (text: string) => void lines.push(`${level} ${text}`);
  const log = new OperationsLog({ info: tell("info"), warn: tell("warn") } as never);
  const index = { role: "writer", isReadable: true, lagSec: 0, seqno: 7 };
  /** What is said of a state that lasts for some looks. */
  const look = (change: Partial<typeof index> & { usable?: number }, looks = 1) => {
    lines.length = 0;
    Object.assign(index, change);
    const { usable } = change;
    const state = { role: index.role, isReadable: index.isReadable, progress: index } as unknown as Index;
    const liteservers = usable === undefined ? undefined : { usable, all: 12 };
    for (let times = 0; times < looks; times++) log.look({ index: state, liteservers });
    return [...lines];
  };
  return { log, look };
}

describe("the log of operations", () => {
  it("says who writes the index, who stands by, and who takes over", () => {
    const { log, look } = watch();
    log.look({ index: undefined });
    expect(look({ role: "standby", lagSec: 0 }, 4)).toEqual([
      "info the index has caught up with the chain at block 7",
    ]);
    expect(look({}, 3)).toEqual(["info this process stands by: another process writes the index"]);
    expect(look({ role: "writer" }, 3)).toEqual(["info this process has taken over and writes the index"]);
    expect(look({ role: "standby" }, 2)).toEqual([]);
    expect(look({ role: "writer" }, 2)).toEqual([]);
    expect(look({ role: "standby" }, 9)).toEqual([
      "info this process no longer writes the index: another process does, and this one stands by",
    ]);
    expect(watch().look({ role: "writer" })[0]).toBe("info this process writes the index");
    expect(watch().look({ role: "reader" }, 3)).toEqual([
      "info the index has caught up with the chain at block 7",
    ]);
  });

  it("says once when the index has caught up, lags, and no longer does", () => {
    const { look } = watch();
    expect(look({ role: "reader", lagSec: 5000, seqno: 3 }, 2)).toEqual([
      "info the index catches up: at block 3 it is 5000 s behind the chain",
    ]);
    expect(look({ lagSec: 60, seqno: 90 }, 2)).toEqual([
      "info the index has caught up with the chain at block 90",
    ]);
    expect(look({ lagSec: 61, seqno: 91 }, 2)).toEqual([
      "warn the index lags: at block 91 it is 61 s behind the chain",
    ]);
    expect(look({ lagSec: 2, seqno: 99 }, 2)).toEqual([
      "info the index has caught up with the chain at block 99",
    ]);
  });

  it("says once when the database is lost and back, but not before it was there", () => {
    const { look } = watch();
    expect(look({ role: "reader", isReadable: false }, 2)).toEqual([]);
    expect(look({ isReadable: true }, 2)).toEqual(["info the index has caught up with the chain at block 7"]);
    expect(look({ isReadable: false }, 2)).toEqual([
      "warn the database of the index is lost: v3 is refused with 503 until it is back",
    ]);
    expect(look({ isReadable: true }, 2)).toEqual(["info the database of the index is back"]);
  });

  it("says once when no liteserver can be used, and when one can again", () => {
    const { look } = watch();
    look({ role: "reader", usable: 3 });
    expect(look({ usable: 0 }, 2)).toEqual([
      "warn none of 12 liteservers can be used: calls that need the chain fail until one answers",
    ]);
    expect(look({ usable: 1 }, 2)).toEqual(["info liteservers can be used again: 1 of 12"]);
  });
});
