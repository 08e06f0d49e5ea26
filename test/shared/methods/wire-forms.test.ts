import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flatten, restPaths } from "../../../shared/methods/define.js";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../../helpers/http/app.js";
import { inOrder } from "../../helpers/http/positions.js";

/** The result of every example is the same text in all wire forms. */
describe.each(flatten(plainRegistry))("the examples of %s", (name, definition) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ registry: plainRegistry, implementations: plainImplementations });
  });
  afterAll(() => app.close());

  it.each(definition.examples)("have one result in all wire forms: %j", async ({ params, result }) => {
    const call = { jsonrpc: "2.0", id: 1, method: name, params };
    const byPosition = { ...call, params: inOrder(definition, params) };
    const answers = [
      await app.post("/api/v2/jsonRPC", call),
      await app.post("/", call),
      await app.post("/jsonRPC", call),
      await app.post("/jsonRPC", [call]),
      await app.post("/jsonRPC", byPosition),
      await app.post("/jsonRPC", [byPosition]),
      await app.post("/jsonRPC", [call], { Accept: "application/jsonl" }),
    ];
    for (const path of restPaths(name, definition)) {
      if (definition.verbs.includes("POST")) answers.push(await app.post(path, params));
      if (definition.verbs.includes("GET")) {
        const query = new URLSearchParams(Object.entries(params).map(([key, value]) => [key, String(value)]));
        answers.push(await app.ask(`${path}?${query}`));
      }
    }
    const wanted = `"result":${JSON.stringify(result)}`;
    expect(answers.map(({ status, text }) => [status, text.includes(wanted)])).toEqual(
      answers.map(() => [200, true]),
    );
  });
});
