import { ServiceError } from "../errors.js";
import { ParamReader } from "../rpc/params/params.js";
import { type Answer, answerText } from "./answers/answer.js";
import { maxCursorLength, type Place, readCursor, writeCursor } from "./answers/cursor.js";
import { visibleText } from "./answers/safe-text.js";
import { CallFailure, type Session } from "./session.js";
import type { Args, Tool } from "./tool.js";

/** A result in the protocol's form. */
type ToolResult = { content: [{ type: "text"; text: string }]; isError?: true };

const maxErrorText = 1000;
const start: Place = { offset: 0 };

/** Runs a tool. A failure is a result too, which the model can read and correct; only a defect rejects. */
export async function callTool(tool: Tool, given: Args, session: Session): Promise<ToolResult> {
  try {
    const { cursor, ...own } = given;
    const args = readArgs(tool, tool.isList ? own : given);
    const from = tool.isList && cursor !== undefined && cursor !== null ? placeOf(cursor, tool, args) : start;
    return shown(await tool.run(args, session, from), tool, args);
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const { code, message } = error;
    const text = JSON.stringify({ error: visibleText(message.slice(0, maxErrorText)), code });
    return { content: [{ type: "text", text }], isError: true };
  }
}

function shown(answer: Answer, tool: Tool, args: Args): ToolResult {
  const text = answerText(answer, (place) => writeCursor(place, tool.name, args));
  return { content: [{ type: "text", text }] };
}

function placeOf(cursor: unknown, tool: Tool, args: Args): Place {
  const text = typeof cursor === "string" && cursor.length <= maxCursorLength ? cursor : "";
  return readCursor(text, tool.name, args);
}

/** Refuses arguments that the tool does not have or take, in the words of the service. */
function readArgs(tool: Tool, given: Args): Args {
  try {
    const reader = new ParamReader(tool.input, "v3");
    const raw = { object: given };
    reader.read(raw, true);
    return reader.sent(raw);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new CallFailure(error.code, error.textIn("v3"));
  }
}
