import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { accessibilityProblems, layoutShift } from "../helpers/peers/browser.js";

/** Kept by continuous integration, for reviewers. */
const pictures = fileURLToPath(new URL("../../artifacts/explorer/", import.meta.url));

const mostShift = 0.1;

/** Keeps a picture of the shown page. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

/** Checks that the shown page has no barrier, moved nothing and fits its width, and takes a picture of it. */
export async function checkLook(
  page: Page,
  name: string,
  { width, colors }: { readonly width: number; readonly colors: string },
): Promise<void> {
  const shift = await layoutShift(page);
  const shownWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  const barriers = await accessibilityProblems(page);
  const found = { name, shift: Math.max(shift, mostShift), width: shownWidth, barriers };
  expect(found).toEqual({ name, shift: mostShift, width, barriers: [] });
  await keepPicture(page, `${name}-${width}-${colors}`);
}
