type Members = Readonly<Record<string, unknown>>;

/**
 * Names of the accounts in some rows of a v3 method's answer: `accounts` by raw address, with the friendly form, domain,
 * interfaces and token.
 */
export function namesOf(result: Members, rows: unknown): { accounts?: Members } {
  const book = (result["address_book"] ?? {}) as Record<string, Members>;
  const metadata = (result["metadata"] ?? {}) as Record<string, Members>;
  const text = JSON.stringify(rows) ?? "";
  const named = Object.keys(book).filter((address) => text.includes(address));
  if (named.length === 0) return {};
  return {
    accounts: Object.fromEntries(
      named.map((address) => {
        const { user_friendly: friendly, domain, interfaces } = book[address] ?? {};
        const token = tokenOf(metadata[address]);
        return [
          address,
          {
            friendly,
            ...(typeof domain === "string" && { domain }),
            ...(Array.isArray(interfaces) && interfaces.length > 0 && { interfaces }),
            ...(token && { token }),
          },
        ];
      }),
    ),
  };
}

/** Name, symbol, decimals and display multiplier of a token in the metadata of its contract. */
export function tokenOf(metadata: Members | undefined): Members | undefined {
  const [info] = (metadata?.["token_info"] ?? []) as Members[];
  if (!info) return undefined;
  const { name, symbol, is_scam: isScam, extra } = info;
  const { decimals, scaled_ui: scaledUi } = (extra ?? {}) as Members;
  if (name === undefined && symbol === undefined) return undefined;
  return {
    ...(name !== undefined && { name }),
    ...(symbol !== undefined && { symbol }),
    ...(decimals !== undefined && { decimals }),
    ...(scaledUi !== undefined && { scaled_ui: scaledUi }),
    ...(isScam === true && { is_scam: true }),
  };
}
