// The service's address in the documents: its public URL, if the operator sets one. A request's `Host` is never used,
// as callers choose it.

const base = (publicUrl: string) => publicUrl.replace(/\/$/, "");

/** OpenAPI resolves a relative URL against the one that the document was fetched from. */
export function restServers(publicUrl: string | undefined): readonly { url: string }[] {
  return [{ url: publicUrl === undefined ? "/" : base(publicUrl) }];
}

/** Validators of OpenRPC require absolute URLs, so that there is none without a public one. */
export function rpcServers(publicUrl: string | undefined): readonly { name: string; url: string }[] {
  return publicUrl === undefined ? [] : [{ name: "tonwire", url: `${base(publicUrl)}/jsonRPC` }];
}

/** The servers of AsyncAPI by their protocols. They need a host, which callers fill in without a public URL. */
export function streamServers(publicUrl: string | undefined) {
  const { protocol, host, pathname } =
    publicUrl === undefined ? { protocol: "http:", host: "{host}", pathname: "/" } : new URL(publicUrl);
  const isSecure = protocol === "https:";
  const server = {
    host,
    ...(pathname !== "/" && { pathname: base(pathname) }),
    ...(publicUrl === undefined && {
      variables: { host: { default: "localhost", description: "Host and port of the service." } },
    }),
  };
  return {
    webSocket: { ...server, protocol: isSecure ? "wss" : "ws" },
    http: { ...server, protocol: isSecure ? "https" : "http" },
  };
}
