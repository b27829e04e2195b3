/** A keyed digest over parts, one after the other. */
export function hmac(algorithm: 'sha256' | 'sha512', key: string | Buffer, parts: readonly (string | Buffer)[]): Buffer {
  const { createHmac } = process.getBuiltinModule('node:crypto');
  const digest = createHmac(algorithm, key);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/** Whether any of the texts shown is any of those expected. It takes as long whichever it is, and wherever they begin to differ. */
export function matchesAny(shown: readonly string[], expected: readonly string[]): boolean {
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const wanted = expected.map(digest);
  return shown.map(digest).filter((one) => wanted.filter((other) => timingSafeEqual(one, other)).length > 0).length > 0;
}

/** The key that a Standard Webhooks secret stands for: base64 behind `whsec_`, else its own bytes. */
export function standardKey(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
}
