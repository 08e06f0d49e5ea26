import { type NodeWorker, type Profiler, Session } from "node:inspector";

/** Microseconds between samples. */
const interval = 500;

export type Profile = Profiler.Profile;

type Answer = { id?: number; result?: { profile?: Profile }; error?: { message: string } };
type Started = { post(method: string, params?: object): Promise<{ profile?: Profile }> };

/** Runs work and returns the CPU profiles of this thread and of its worker threads. */
export async function profileThreads(work: () => Promise<void>): Promise<Profile[]> {
  const session = new Session();
  session.connect();
  const main: Started = {
    post: (method, params) =>
      new Promise((resolve, reject) => {
        session.post(method, params, (error, result) => (error ? reject(error) : resolve(result as object)));
      }),
  };
  const threads = [main, ...(await workersOf(session, main))];
  await Promise.all(threads.map(start));
  await work();
  const profiles = await Promise.all(threads.map(({ post }) => post("Profiler.stop")));
  session.disconnect();
  return profiles.map(({ profile }) => profile!);
}

async function start({ post }: Started): Promise<void> {
  await post("Profiler.enable");
  await post("Profiler.setSamplingInterval", { interval });
  await post("Profiler.start");
}

/** The workers that there are now. */
async function workersOf(session: Session, main: Started): Promise<Started[]> {
  const workers = new Map<string, Started>();
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  session.on("NodeWorker.attachedToWorker", ({ params }) => {
    const { sessionId } = params as NodeWorker.AttachedToWorkerEventDataType;
    const post: Started["post"] = (method, more) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result!)));
        const message = JSON.stringify({ id, method, ...(more && { params: more }) });
        main.post("NodeWorker.sendMessageToWorker", { sessionId, message }).catch(reject);
      });
    workers.set(sessionId, { post });
  });
  session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => {
    const { message } = params as NodeWorker.ReceivedMessageFromWorkerEventDataType;
    const answer = JSON.parse(message) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  await main.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
  return [...workers.values()];
}
