/** Between two words that something still goes on. */
const EVERY_MS = 5000;

/** Waits for work, and tells every few seconds how long it has been going on; with nobody to tell it only waits. */
export async function toldWhile<T>(work: Promise<T>, what: string, tell: ((line: string) => void) | undefined): Promise<T> {
  if (tell === undefined) return work;
  const beganAt = performance.now();
  const timer = setInterval(() => tell(`still ${what} (${Math.round((performance.now() - beganAt) / 1000)} s)`), EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
