import { expect, onTestFinished, test } from "vitest";
import { ClassifierThread } from "../../../server/indexer/classify/classifier-thread.js";
import type { ClassifyJob } from "../../../server/indexer/classify/classify-trace.js";

const impossible = {} as ClassifyJob;

function openThread(options?: { timeoutMs: number }): ClassifierThread {
  const thread = new ClassifierThread(options);
  onTestFinished(() => thread.close());
  return thread;
}

test("a job that fails spoils no other, even one that waits", async () => {
  const thread = openThread();
  const [failed, next] = await Promise.allSettled([thread.run([impossible]), thread.run([])]);
  expect(failed).toMatchObject({ status: "rejected", reason: expect.any(TypeError) });
  expect(next).toEqual({ status: "fulfilled", value: [] });
});

test("a job without an answer in its time is refused", async () => {
  await expect(openThread({ timeoutMs: 1 }).run([])).rejects.toThrow("the classifier takes too long");
});

test("a closed thread refuses its job", async () => {
  const thread = openThread();
  const job = thread.run([]);
  await Promise.resolve();
  await thread.close();
  await expect(job).rejects.toThrow("the classifier's thread has ended");
});
