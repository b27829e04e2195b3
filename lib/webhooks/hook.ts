import type { Plain } from './expressions/plain.ts';

/** A webhook as hooks.yml declares it, checked and compiled: plain data, so that a bundle carries it as it is. */
export interface Hook {
  /** The segment of its address. */
  readonly name: string;
  readonly verify: Verification;
  /** Names of the environment's variables that hold its secrets; several while one replaces another. */
  readonly secrets: readonly string[];
  /** The name in `ACCESS_TOKENS` whose rights it has. */
  readonly caller: string;
  /** An expression for the id of a delivery; absent: where its sender is known to put it. */
  readonly id?: Expression;
  /** It may run where the installation has no store, each instance then knowing only its own deliveries. */
  readonly dedupeInMemory: boolean;
  readonly maxBytes: number;
  readonly rules: readonly Rule[];
  /** Whether any of its calls changes something. */
  readonly writes: boolean;
}

/** How a delivery shows who sent it. */
export type Verification = { readonly kind: Exclude<VerificationKind, 'hmac'> } | HmacVerification;

/** A keyed digest of the body, or of `<timestamp>.<body>` where a header carries a timestamp. Header names are lower case. */
export interface HmacVerification {
  readonly kind: 'hmac';
  readonly header: string;
  readonly algorithm: 'sha256' | 'sha512';
  readonly encoding: 'hex' | 'base64';
  /** What precedes the digest in its header, such as `sha256=`. */
  readonly prefix: string;
  readonly timestamp?: string;
}

export const verificationKinds = ['github', 'stripe', 'slack', 'standard-webhooks', 'hmac', 'bearer', 'basic', 'url-token'] as const;

export type VerificationKind = (typeof verificationKinds)[number];

/** An expression of JSONata. */
export interface Expression {
  readonly text: string;
  /** What it comes down to, where that needs no engine. */
  readonly plain?: Plain;
}

/** What a delivery sets going when its condition holds. */
export interface Rule {
  /** Absent: at every delivery. */
  readonly when?: Expression;
  readonly run: readonly HookCall[];
}

export interface HookCall {
  readonly tool: string;
  readonly readOnly: boolean;
  readonly with: Template;
}

/** A value whose expressions are still to be evaluated. */
export type Template =
  | { readonly expression: Expression }
  | { readonly value: string | number | boolean | null }
  | { readonly items: readonly Template[] }
  | { readonly members: Readonly<Record<string, Template>> };

/** The names under which the addresses of this function are something else than a hook. */
export const reservedNames: readonly string[] = ['health', 'deliveries'];
