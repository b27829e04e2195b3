/** What the runtime hands a function beside the event, as the Node.js runtime documents its context parameter. */
export interface Context {
  readonly activationId?: string;
  readonly apiHost?: string;
  readonly apiKey?: string;
  /** When the function times out, in milliseconds since the epoch. */
  readonly deadline?: number;
  readonly functionName?: string;
  readonly functionVersion?: string;
  readonly namespace?: string;
  readonly requestId?: string;
  getRemainingTimeInMillis?(): number;
}
