/** What `deckhand start` was told. */
export interface StartOptions {
  readonly port: number;
  readonly platformPort: number;
  readonly data: string;
  readonly ephemeral: boolean;
  readonly speed: number;
  /** Whether uptime checks send no probes. */
  readonly offline: boolean;
  readonly allowHost: readonly string[];
  readonly publicUrl?: string;
  readonly platformUrl?: string;
  readonly platformToken?: string;
  readonly json: boolean;
  /** It was started for others who say so, and ends with the last of them. */
  readonly whileUsed: boolean;
}

/** What a ready installation is reached by; the line that `--json` prints. */
export interface Ready {
  readonly ready: true;
  readonly version: string;
  readonly pid: number;
  readonly router: string;
  readonly mcp: string;
  readonly tools: string;
  /** Where webhooks are sent: a hook's name follows. */
  readonly hooks: string;
  /** By full name: the address of each deployed function. */
  readonly functions: Readonly<Record<string, string>>;
  /** The bearer to show. */
  readonly token: string;
  readonly platform: string;
  readonly apihost: string;
  readonly auth: string;
  readonly namespace: string;
}
