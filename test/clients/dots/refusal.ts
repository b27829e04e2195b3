import type { Json } from '../../emulator/platform.ts';

export interface Refusal {
  readonly status: number;
  readonly id: string;
  readonly message: string;
}

/** How the platform refuses a call; that it does not, or that the client fails by itself, is an error. */
export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const answer = await call.then(
    (value) => ({ value }),
    (error: Json) => ({ error }),
  );
  if (!('error' in answer) || answer.error.responseStatusCode === undefined) {
    throw 'error' in answer ? answer.error : new Error(`a refusal was expected, and it was ${JSON.stringify(answer.value)}`);
  }
  const { responseStatusCode, id, messageEscaped } = answer.error;
  return { status: responseStatusCode, id, message: messageEscaped };
}
