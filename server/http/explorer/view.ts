import type { Arguments, MethodName, Result } from "../../../client/registry-types.js";
import type { Watch } from "../../../client/watch.js";
import type { Names } from "./parts/names.js";

// What a view is. To add one: its path in `pages/explorer-paths.ts`, its function in `views/`, its line in `routes.ts`.
//
// A view fills `root` with markup of the tag `html` of `pages/markup.ts`, which escapes all text, and attaches its
// listeners to what it made. It may reject: the reason is shown in place of the view. Elsewhere it can rely on this:
//
// - Links to paths of the explorer are followed without loading the page. `data-copy="text"` on a button copies the
//   text. `<time data-ago="unix seconds">` keeps telling how long ago that was (`parts/time.ts`).
// - Fields with a `name` are remembered across reload and Back. They are filled in as soon as they are in `root`, and
//   then get an `input` event, if the view has attached its listeners in the same turn as it made them.
// - Markup has no `style` attributes: the page's policy forbids them. Styles are in `explorer.css`; each view adds a
//   section of its own there. Numbers that are known at run time become attributes of SVG elements.

/** Shows one kind of thing. Resolves once it shows everything that it can show without waiting for the chain. */
export type View = (context: ViewContext) => Promise<void>;

/** What a view is given. */
export type ViewContext = {
  /** The empty element to fill. */
  readonly root: HTMLElement;
  /** Texts at the colons of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The query of the address. */
  readonly query: URLSearchParams;
  /** Sets the title of the page. */
  title(text: string): void;
  /** Calls a method. The call is recorded and shown below the view. */
  readonly call: Call;
  /** Calls a method that is not worth showing, such as a poll that is repeated. */
  readonly callQuietly: Call;
  readonly network: string;
  /** Whether the network is a devnet, which has methods `devnet.*`. */
  readonly devnet: boolean;
  /** Whether the service has an index: without it methods `v3.*` are refused and nothing can be watched. */
  readonly indexed: boolean;
  /** Aborted when the person leaves the view; calls are aborted by themselves. */
  readonly signal: AbortSignal;
  /** Goes to another path of the explorer. */
  go(path: string): void;
  /** Tells what happens, over a WebSocket that is opened when it is first used. Pass `signal` on to it. */
  readonly live: Watch;
  /** Names of accounts that are known on this network, such as the contracts of a devnet's story. */
  readonly names: Names;
};

/** Calls a method by its name; typed as the client's. */
export type Call = <Name extends MethodName>(method: Name, ...args: Arguments<Name>) => Promise<Result<Name>>;
