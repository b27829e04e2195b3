/** The JSON of an answer, for tests that look into shapes of every kind; a wrong path shows as undefined. */
// biome-ignore lint/suspicious/noExplicitAny: that is what it is for
export async function jsonOf(answer: Response | Promise<Response>): Promise<any> {
  return (await answer).json();
}
