/** A notice that did not arrive, in words that hold no secret: the address of a chat webhook is one, but for its host. */
export class DeliveryFailure extends Error {
  /** Whether trying again is no use. */
  readonly final: boolean;
  /** How long the receiver asked to be left alone. */
  readonly retryAfterMs: number;
  /** Whether the receiver let the time run out: what else is meant for it need not try now. */
  readonly hung: boolean;
  /** Whether it was only waiting for its turn when the receiver hung. */
  readonly untried: boolean;

  constructor(message: string, { final = false, retryAfterMs = 0, hung = false, untried = false, cause = undefined as unknown } = {}) {
    super(message, { cause });
    this.name = 'DeliveryFailure';
    this.final = final;
    this.retryAfterMs = retryAfterMs;
    this.hung = hung;
    this.untried = untried;
  }
}

/** What went wrong, as a failure that is worth another try unless it says otherwise. */
export function toFailure(what: string, error: unknown): DeliveryFailure {
  if (error instanceof DeliveryFailure) {
    return error;
  }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const reason = code ?? (error instanceof Error ? error.message : String(error));
  return new DeliveryFailure(`${what}: ${reason}`, { cause: error });
}
