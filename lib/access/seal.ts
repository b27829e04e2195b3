const nonceBytes = 12;
const tagBytes = 16;

/**
 * A value as text that may pass through other hands: nobody without the secret can read it, change it, or make one up (AES-256-GCM).
 * It says nothing of who may show it and until when: put that into the value, and compare.
 *
 * @param value anything that JSON can carry
 * @param secret of any length; as strong as what it protects
 */
export function seal(value: unknown, secret: string): string {
  const { createCipheriv, randomBytes } = process.getBuiltinModule('node:crypto');
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce);
  const hidden = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url');
}

/** The value in a text that `seal` made with this secret; undefined for any other text, however near. */
export function unseal(text: string, secret: string): unknown {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== text) return undefined;
  const { createDecipheriv } = process.getBuiltinModule('node:crypto');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const opened = decipher.update(bytes.subarray(nonceBytes + tagBytes));
  try {
    return JSON.parse(Buffer.concat([opened, decipher.final()]).toString('utf8'));
  } catch {
    // The tag does not fit: made with another secret, or changed on its way.
    return undefined;
  }
}

/** A key for this use alone, so that the secret can serve others too. */
function keyOf(secret: string): Buffer {
  const { hkdfSync } = process.getBuiltinModule('node:crypto');
  return Buffer.from(hkdfSync('sha256', secret, '', 'deckhand/seal', 32));
}
