import { isAxiosError } from 'axios';

export interface Refusal {
  readonly status: number;
  readonly id: string;
  readonly message: string;
}

/** How the platform refuses a call; that it does not, or that the client fails by itself, is an error. */
export async function refusal(call: Promise<{ readonly status: number }>): Promise<Refusal> {
  const error = await call.then(
    ({ status }) => new Error(`a refusal was expected, and it was ${status}`),
    (reason: unknown) => reason,
  );
  if (!isAxiosError(error) || error.response === undefined) {
    throw error;
  }
  const { id, message } = error.response.data;
  return { status: error.response.status, id, message };
}
