// TON Connect's JS bridge: `window.<key>.tonconnect`, between a page and a wallet in the same browser.

/** A wallet as dapps see it. */
export interface TonConnectBridge {
  /** The wallet as a device, with what it can do. */
  readonly deviceInfo: DeviceInfo;
  /** The wallet as dapps list it. */
  readonly walletInfo: WalletInfo;
  /** The newest version of the protocol that it knows. */
  readonly protocolVersion: number;
  /** Whether the page is open inside the wallet. */
  readonly isWalletBrowser: boolean;
  /** Connects the page to the wallet's account. */
  connect(protocolVersion: number, request: unknown): Promise<ConnectEvent>;
  /** Connects again without asking, if the page was connected before. */
  restoreConnection(): Promise<ConnectEvent>;
  /** A request of the connected page. */
  send(request: unknown): Promise<WalletResponse>;
  /** Calls back when the wallet ends the connection; returns a function that stops this. */
  listen(callback: (event: WalletEvent) => void): () => void;
  /** Ends the connection for the page. */
  disconnect(): void;
}

/** A wallet as a device. */
export type DeviceInfo = {
  /** The platform of the device. */
  readonly platform: "browser";
  /** Its name in lists of wallets. */
  readonly appName: string;
  /** Its own version. */
  readonly appVersion: string;
  /** The newest version of the protocol that it knows. */
  readonly maxProtocolVersion: number;
  /** The requests that the wallet carries out. */
  readonly features: readonly Feature[];
};

/** A kind of request that a wallet carries out. Early dapps look for the name alone. */
export type Feature =
  | "SendTransaction"
  | {
      /** Sends messages, or signs them for another sender. */
      readonly name: "SendTransaction" | "SignMessage";
      /** The most messages in one request. */
      readonly maxMessages: number;
      /** Whether messages may carry extra currencies. */
      readonly extraCurrencySupported: boolean;
    }
  | {
      /** Signs data of a page. */
      readonly name: "SignData";
      /** Kinds of data. */
      readonly types: readonly ("text" | "binary" | "cell")[];
    };

/** A platform of wallets. */
export type Platform = "chrome" | "firefox" | "safari" | "windows" | "macos" | "linux";

/** A wallet in a list of wallets. */
export type WalletInfo = {
  /** The name that users see. */
  readonly name: string;
  /** Its name in lists of wallets. */
  readonly app_name: string;
  /** URL of a picture. */
  readonly image: string;
  /** URL of a page about it. */
  readonly about_url: string;
  /** The platforms that the wallet runs on. */
  readonly platforms: readonly Platform[];
  /** The requests that the wallet carries out. */
  readonly features: readonly Feature[];
};

/** The answer to a request to connect. */
export type ConnectEvent =
  | {
      /** The page is connected. */
      readonly event: "connect";
      /** Greater than the ids of earlier events. */
      readonly id: number;
      /** The answers to the items of the request, and the wallet. */
      readonly payload: {
        /** The answers to the items of the request. */
        readonly items: readonly ItemReply[];
        /** The wallet. */
        readonly device: DeviceInfo;
      };
    }
  | {
      /** The page is not connected. */
      readonly event: "connect_error";
      /** Greater than the ids of earlier events. */
      readonly id: number;
      /** Why. */
      readonly payload: Failure;
    };

/** Why a request was not carried out. */
export type Failure = {
  /** 0 unknown, 1 bad request, 100 not connected, 300 declined by the user, 400 not supported. */
  readonly code: number;
  /** The reason in words. */
  readonly message: string;
};

/** The answer to an item of a request to connect. */
export type ItemReply =
  | {
      /** The account. */
      readonly name: "ton_addr";
      /** Its raw address. */
      readonly address: string;
      /** Id of the network. */
      readonly network: string;
      /** Hex. */
      readonly publicKey: string;
      /** The initial state as a bag of cells, base64. */
      readonly walletStateInit: string;
    }
  | {
      /** Proof that the account's key is here. */
      readonly name: "ton_proof";
      /** The signature, with what was signed. */
      readonly proof: TonProof;
    }
  | {
      /** An item that the wallet does not have. */
      readonly name: string;
      /** Why. */
      readonly error: Failure;
    };

/** Proof that the page's user has the key of the address. */
type TonProof = {
  /** Unix time in seconds. */
  readonly timestamp: number;
  /** The page's host. */
  readonly domain: {
    /** Bytes of `value` in UTF-8. */
    readonly lengthBytes: number;
    /** The host with its port. */
    readonly value: string;
  };
  /** The text that the page gave to sign. */
  readonly payload: string;
  /** Base64. */
  readonly signature: string;
};

/** The answer to a request of a connected page. */
export type WalletResponse = {
  /** The id of the request. */
  readonly id: string;
} & (
  | {
      /** The result of the method. */
      readonly result: unknown;
    }
  | {
      /** Why the request was not carried out. */
      readonly error: Failure;
    }
);

/** A notice of the wallet. */
export type WalletEvent = {
  /** The wallet's user ended the connection. */
  readonly event: "disconnect";
  /** Greater than the ids of earlier events. */
  readonly id: number;
  /** Empty. */
  readonly payload: Record<string, never>;
};

/** A request of the page that would be carried out: what `approve` is asked about. */
export type Approval = {
  /** `connect`, or the method. */
  readonly method: "connect" | "sendTransaction" | "signMessage" | "signData";
  /** The request as the page made it, checked. */
  readonly request: unknown;
};
