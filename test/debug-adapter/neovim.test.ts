import { execFile, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { startCounter } from "../helpers/debug/counter-runs.js";
import { funcCounter, lineOf } from "../helpers/debug/func-counter.js";
import { examplesIn } from "../helpers/readmes.js";
import { programArguments } from "../helpers/services/program.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const plugin = process.env["TONWIRE_TEST_NVIM_DAP"] ?? "";
const missing = whatIsMissing();

function whatIsMissing(): string | undefined {
  if (!existsSync(join(plugin, "lua", "dap.lua")))
    return "TONWIRE_TEST_NVIM_DAP names no folder with nvim-dap";
  const { error, stdout } = spawnSync("nvim", ["--version"], { encoding: "utf8" });
  if (error) return "nvim is not installed";
  const [, major, minor] = /^NVIM v(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > 0 || Number(minor) >= 10 ? undefined : "nvim-dap needs Neovim 0.10 or newer";
}

const main = programArguments(new URL("../../server/main.ts", import.meta.url));
/** As the document tells users to set the editor up. */
const shown = examplesIn("server/devnet/README.md", "lua").join("\n");

/** Sets a breakpoint in the file, launches, moves, and prints the lines of all stops. The command is that of the test. */
const script = `
local given = vim.json.decode(vim.env.GIVEN)
vim.opt.rtp:prepend(given.plugin)
${shown}
dap.adapters.tonwire.command, dap.adapters.tonwire.args = given.command, given.args
dap.adapters.tonwire.options.initialize_timeout_sec = 300
local stops = {}
dap.listeners.after.stackTrace.test = function(_, err, body)
  table.insert(stops, err and tostring(err) or body.stackFrames[1].name .. ":" .. body.stackFrames[1].line)
end
vim.cmd.edit(given.file)
vim.api.nvim_win_set_cursor(0, { given.line, 0 })
dap.toggle_breakpoint()
vim.cmd.Tonwire(given.transaction)
for count, move in ipairs({ "continue", "step_into", "step_out", "step_back", "reverse_continue", "" }) do
  if not vim.wait(240000, function() return #stops >= count end, 20) then break end
  if move ~= "" then dap[move]() end
end
io.stdout:write(vim.json.encode({ stops = stops, file = vim.fn.expand("%:t") }))
vim.cmd("qall!")
`;

const title = "nvim-dap walks to a breakpoint, into a function, and back";

it.skipIf(missing)(missing ? `${title}: ${missing}` : title, async () => {
  const counter = await startCounter();
  onTestFinished(() => counter.close());
  const folder = temporaryFolder();
  for (const { filename, content } of funcCounter.snapshot) writeFileSync(join(folder, filename), content);
  writeFileSync(join(folder, "walk.lua"), script);
  const line = lineOf("i += twice(i) + 1");
  const given = {
    ...{ plugin, command: process.execPath, file: join(folder, "counter.fc"), line },
    args: [...main, "debug", "--stdio", "--url", counter.service.url],
    transaction: counter.transactions.loops,
  };
  const { stdout, stderr } = await promisify(execFile)(
    "nvim",
    ["--clean", "--headless", "-c", `luafile ${join(folder, "walk.lua")}`],
    { env: { ...process.env, GIVEN: JSON.stringify(given) } },
  );
  const { stops, file } = JSON.parse(stdout);
  const call = `recv_internal:${line}`;
  const entry = expect.stringMatching(/^transaction: /);
  const inner = `twice:${lineOf("return x + x")}`;
  expect(stops, stderr).toEqual([entry, call, inner, call, call, entry]);
  expect(file).toBe("counter.fc");
});
