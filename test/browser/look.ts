import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { accessibilityProblems, layoutShift } from "../helpers/peers/browser.js";

/** Kept by continuous integration, for reviewers. */
export const pictures = fileURLToPath(new URL("../../artifacts/explorer/", import.meta.url));

const mostShift = 0.1;

type Look = { readonly name: string; readonly colors: "light" | "dark"; readonly width: number };

/** Checks that the shown page has no barrier, moved nothing and fits its width, and takes a picture of it. */
export async function checkLook(page: Page, { name, colors, width }: Look): Promise<void> {
  const shift = await layoutShift(page);
  expect([name, shift <= mostShift ? "calm" : shift]).toEqual([name, "calm"]);
  expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, width]);
  expect([name, await accessibilityProblems(page)]).toEqual([name, []]);
  await page.screenshot({ path: join(pictures, `${name}-${width}-${colors}.png`), fullPage: true });
}
