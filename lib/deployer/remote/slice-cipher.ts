import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DeployError } from '../deploy-error.ts';

const ALGORITHM = 'aes-256-cbc';
/** Each key is used for one text only, and so the platform's format has no other vector. */
const VECTOR = Buffer.alloc(16);

/** A project file encrypted for the builder, and the key, both in hex. */
export interface EncryptedConfig {
  readonly config: string;
  readonly key: string;
}

/** Encrypts the project file of a slice, which holds the key of the namespace, under a key of its own (platform reference, REST row 16). */
export function encryptConfig(text: string): EncryptedConfig {
  const key = randomBytes(32);
  const cipher = createCipheriv(ALGORITHM, key, VECTOR);
  return { config: cipher.update(text, 'utf8', 'hex') + cipher.final('hex'), key: key.toString('hex') };
}

/** Throws `invalid_project` where the key does not fit. */
export function decryptConfig(config: string, key: string): string {
  try {
    const decipher = createDecipheriv(ALGORITHM, Buffer.from(key, 'hex'), VECTOR);
    return decipher.update(config.trim(), 'hex', 'utf8') + decipher.final('utf8');
  } catch (error) {
    const fix = 'send the key that the slice was made with, 64 hex digits';
    throw new DeployError('invalid_project', `the project.yml of the slice cannot be read with this encryptionKey: ${fix}`, {
      cause: error,
    });
  }
}
