import type { Arguments, MethodName, Result } from "../../../client/registry-types.js";
import type { Watch } from "../../../client/watch/index.js";
import type { OwnNames } from "./address-book/own-names.js";
import type { Names } from "./parts/names.js";
import type { ProvenDebugger } from "./verify/verifying.js";

// Contract of a view. To add one: its path in `pages/explorer-paths.ts`, its function in `views/`, its line in
// `routes.ts`.
//
// A view fills `root` with markup of the tag `html` of `pages/markup.ts`, which escapes all text, and attaches its
// listeners to its elements. If it rejects, the reason is shown instead. It can rely on the following:
//
// - Links to paths of the explorer are followed without loading the page. `data-copy="text"` on a button copies the
//   text. `<time data-ago="unix seconds">` shows the elapsed time and is kept current (`parts/time.ts`).
// - Fields with a `name` are restored after reload and Back. They are filled in as soon as they are in `root`, and
//   then get an `input` event, if the view attached its listeners in the same turn.
// - Markup has no `style` attributes: the page's policy forbids them. Styles are in `styles/`, a file per view. Values
//   known only at run time become attributes of SVG elements.

/** Renders one kind of page. Resolves once everything that needs no waiting for the chain is shown. */
export type View = (context: ViewContext) => Promise<void>;

/** Dependencies of a view. */
export type ViewContext = {
  /** The empty element to fill. */
  readonly root: HTMLElement;
  /** Values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The query of the address. */
  readonly query: URLSearchParams;
  /** Sets the title of the page. */
  title(text: string): void;
  /** Calls a method. The call is recorded and shown below the view. */
  readonly call: Call;
  /** Calls a method without recording it, for example a repeated poll. */
  readonly callQuietly: Call;
  readonly network: string;
  /** Runs transactions in the page, on proven inputs; undefined unless the user has turned verification on. */
  provenDebugger(): Promise<ProvenDebugger | undefined>;
  /** Whether the network is a devnet, which has methods `devnet.*`. */
  readonly devnet: boolean;
  /** Whether the service has an index: without it methods `v3.*` are refused and nothing can be watched. */
  readonly indexed: boolean;
  /** Aborted when the user leaves the view; calls are aborted automatically. */
  readonly signal: AbortSignal;
  /** Navigates to another path of the explorer. */
  go(path: string): void;
  /** Subscriptions over a WebSocket that opens on first use. Pass `signal` to each. */
  readonly live: Watch;
  /** Known names of accounts on this network: of a devnet's story, and of the address books of answers. */
  readonly names: Names;
  /** The user's own names of accounts; `names` has them too. */
  readonly own: OwnNames;
};

/** Calls a method by its name; typed as the client's. */
export type Call = <Name extends MethodName>(method: Name, ...args: Arguments<Name>) => Promise<Result<Name>>;
