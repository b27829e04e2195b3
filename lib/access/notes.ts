/** What was decided about a call before it was carried out. */
export type Decision =
  /** Nobody had to be asked. */
  | 'allowed'
  /** What would be sent was shown, and nothing was. */
  | 'dry_run'
  /** Its confirmation is awaited. */
  | 'asked'
  | 'confirmed'
  | 'declined'
  /** Answered with what the first call of its key was answered. */
  | 'replayed';

/** What is learnt of a call while it is carried out, for its record. */
export interface Notes {
  /** The arguments as they were read, without secrets. */
  readonly arguments?: unknown;
  readonly decision?: Decision;
  /** The platform's own id of the last request that the call made of it. */
  readonly platformRequestId?: string;
  /** How it ended could not be written down under its key. */
  readonly unrecorded?: true;
}

/** Takes down what is learnt; later words replace earlier ones. */
export type Note = (learnt: Notes) => void;
