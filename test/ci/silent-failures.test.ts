import { expect, it } from "vitest";
import { runChecker } from "./run-checker.js";

function check(...lines: string[]) {
  const files = { "some.ts": ["declare const work: () => Promise<void>;", ...lines] };
  const { status, reports } = runChecker(
    "silent-failures.mjs",
    files,
    /some\.ts:(\d+): a failure is dropped/g,
  );
  return [status, reports.flat()];
}

it("the checker of dropped failures names each catch and handler that drops one without a reason", () => {
  expect(
    check(
      "try { JSON.parse(''); } catch {}",
      "work().catch(() => {});",
      "work().then(() => 1, () => {});",
      "work().catch(() => undefined);",
      "try { JSON.parse(''); } catch {",
      "  // Not JSON.",
      "}",
      "// Awaited later.",
      "work().catch(() => {});",
      "work().catch((error) => console.log(error));",
      "try { JSON.parse(''); } catch (error) { console.log(error); }",
    ),
  ).toEqual([1, ["2", "3", "4", "5"]]);
});

it("the checker of dropped failures passes a project without any", () => {
  expect(check("work().catch((error) => console.log(error));")).toEqual([0, []]);
});
