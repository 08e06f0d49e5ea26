import { onTestFinished } from "vitest";
import { z } from "zod";
import { defineMethod } from "../../../shared/methods/define.js";
import { plainImplementations, plainRegistry, startApp } from "./app.js";

const held = defineMethod({
  summary: "Waits until the test releases it.",
  group: "Test",
  params: z.object({}),
  result: z.string(),
  verbs: ["GET"],
  freshness: { kind: "none" },
  examples: [{ params: {}, result: "held" }],
});

/** Starts an app with the method `held`, whose calls wait for `release`. `arrived` resolves with the first call. */
export async function startHeldApp() {
  let release = () => {};
  const released = new Promise<string>((resolve) => {
    release = () => resolve("held");
  });
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const app = await startApp({
    registry: { ...plainRegistry, held },
    implementations: {
      ...plainImplementations,
      held: () => {
        arrive();
        return released;
      },
    },
  });
  onTestFinished(() => app.close());
  return { app, url: app.url, arrived, release };
}
