/** The methods that the platform's operations have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A query of the platform; members without a value are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A record as the platform has it. */
export type PlatformRecord = Readonly<Record<string, unknown>>;

/** A call of the platform as a tool words it. */
export interface PlatformCall {
  readonly method: Method;
  /** Without query, its segments encoded: made with `path`. */
  readonly path: string;
  readonly query?: Query;
  /** Members without a value are left out. */
  readonly body?: unknown;
}

/** The platform as a tool that needs several calls sees it: every call runs under the same budget and by the same rules as a single one. */
export interface PlatformCalls {
  /** The name of the tool that calls, for messages. */
  readonly tool: string;
  /** Sends a call and returns the reply's body, parsed; undefined where it has none. Throws what `send` throws. */
  request(call: PlatformCall): Promise<unknown>;
  /** Reads the record under a key of the reply. Throws `platform_error` where there is none. */
  record(path: string, envelope: string): Promise<PlatformRecord>;
}
