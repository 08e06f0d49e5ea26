import { z } from "zod";
import { page } from "../../shared/schema/v3/params.js";
import type { List } from "./answers/answer.js";
import { namesOf } from "./answers/names.js";
import { paramsOf, withWords } from "./definitions.js";
import { described, titleOf, toolName } from "./method-tool.js";
import type { Tool } from "./tool.js";

type Row = Readonly<Record<string, unknown>>;

type ListToolOptions = {
  /** Its name. Default: the method's. */
  readonly name?: string;
  /** Filters that it has, beside `limit`, and `sort` if the method has it. */
  readonly params: readonly string[];
  readonly guide?: string;
  /** The member of the result with the rows. */
  readonly rows: string;
  /** The part of a row that the model gets. Default: all of it. */
  readonly row?: (row: Row, result: Row) => Row;
  /** The position of a row in the order by time, which `end_lt` filters by: pages stay stable under new rows. */
  readonly ltOf?: (row: Row) => unknown;
};

/** Rows of one call. More would not fit into an answer. */
const maxRows = 100;
const defaultRows = 10;
const pages = page({ initial: defaultRows, max: maxRows });

/** A tool that reads a list method page by page. */
export function listTool(method: string, options: ListToolOptions): Tool {
  const { params, guide, rows: member, row = (each) => each, ltOf, name = toolName(method) } = options;
  const shape = paramsOf(method);
  const own = paramsOf(method, [...params, ...("sort" in shape ? ["sort"] : [])]);
  return {
    name,
    title: titleOf(name),
    description: described(method, guide),
    methods: [method],
    input: z.object({ ...own, limit: pages.limit }),
    isList: true,
    changes: false,
    async run(args, session, from) {
      const limit = Math.max(Number(args["limit"] ?? defaultRows), 1);
      const isPinned =
        ltOf !== undefined && !windowNames.some((each) => each in args) && isNewestFirst(args["sort"]);
      const params = {
        ...args,
        limit: limit + 1,
        offset: from.offset,
        ...(isPinned && from.until !== undefined && { end_lt: from.until }),
      };
      const result = (await session.call(method, withWords(method, params))) as Row;
      const all = (result[member] ?? []) as Row[];
      const [first] = all;
      const until = from.until ?? (isPinned && first ? textOf(ltOf(first)) : undefined);
      const list: List = {
        name: member,
        rows: all.slice(0, limit).map((each) => row(each, result)),
        from: { offset: from.offset, until },
        hasMore: all.length > limit,
        about: (shown) => namesOf(result, shown),
      };
      return { list };
    },
  };
}

/** Filters by time: with unix times, lists are sorted by these. */
const windowNames = ["end_lt", "start_utime", "end_utime"];

function isNewestFirst(sort: unknown): boolean {
  return sort === undefined || /^d/i.test(String(sort));
}

function textOf(lt: unknown): string | undefined {
  return typeof lt === "string" && /^\d{1,20}$/.test(lt) ? lt : undefined;
}
