import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openPage, sharedChromium, type WatchedPage } from "../helpers/peers/browser.js";

/** How a page is seen. */
export type Look = { readonly width?: number | undefined; readonly colors?: "light" | "dark" | undefined };

/** The looks that every view is checked in. */
export const looks = [
  { colors: "light", width: 360 },
  { colors: "dark", width: 1280 },
] as const;

/** Waits until the explorer shows a view with its data. */
export const ready = (page: Page) => page.waitForSelector("#view[aria-busy=false]");

/** Opens a path of the page's service. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await ready(page);
}

/** The texts of all elements. */
export const text = (page: Page, selector: string) => page.locator(selector).allInnerTexts();

/** Opens a page of a service for a test, and checks afterwards that it made no external request and threw nothing. */
export async function browse(
  origin: string,
  run: (page: Page, watched: WatchedPage) => Promise<void>,
  { width = 1280, colors = "light" }: Look = {},
): Promise<void> {
  const watched = await openPage(await sharedChromium(), origin, width, colors);
  const { page, foreign, complaints } = watched;
  try {
    await run(page, watched);
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
  } finally {
    await page.context().close();
  }
}
