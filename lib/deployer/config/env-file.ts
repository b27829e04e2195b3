import { existsSync, readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Json } from '../project.ts';

/** The variables of a file of JSON or of `NAME=value` lines; null when there is no such file. */
export function readEnvFile(path: string): Readonly<Record<string, Json>> | null {
  if (!existsSync(path) || !statSync(path).isFile()) return null;
  const text = readFileSync(path, 'utf8');
  return jsonObject(text) ?? dotenv(text);
}

function jsonObject(text: string): Readonly<Record<string, Json>> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON: the file is made of NAME=value lines then.
    return null;
  }
  // What JSON.parse returned and is an object but no array is a record of JSON values.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, Json>>) : null;
}

function dotenv(text: string): Readonly<Record<string, Json>> {
  const variables: Record<string, Json> = {};
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}
