import type { JsonObject } from '../fields.ts';
import type { Account } from '../store/account.ts';
import type { DueHandler, Effect, Listener } from '../store/machinery.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request that has been authenticated, counted and parsed. */
export interface PlatformRequest {
  readonly method: string;
  readonly path: string;
  /** The decoded values of the placeholders in the route's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON object of the body; empty when there was none. */
  readonly body: JsonObject;
  /** The body as it came, for values that a number can not hold. */
  readonly bodyText: string;
  /** Scheme and host that the client used, for the links in replies. */
  readonly origin: string;
}

/** What a handler answers: a value to be written as JSON, what is JSON already as text or bytes, or nothing (no body). */
export type Body = object | string | Buffer | undefined;

export type Handler = (request: PlatformRequest, account: Account) => Body;

export interface RouteOptions {
  /** The status of a success; 200 by default. */
  readonly status?: number;
  /** The list of SSH keys has a limit of its own. */
  readonly limit?: 'key-lists';
}

export interface Route extends RouteOptions {
  readonly method: Method;
  readonly path: string;
  readonly handle: Handler;
}

/** One operation of the platform. A GET only looks; everything else is one transaction. `{name}` in the path is a placeholder. */
export function route(pattern: `${Method} /${string}`, options: RouteOptions, handle: Handler): Route {
  const [method, path] = pattern.split(' ');
  // The pattern's type says that it is a method, one space and a path.
  return { ...options, method: method as Method, path: path ?? '/', handle };
}

/** A family of resources: everything the emulator knows of one part of the platform. */
export interface Family {
  readonly routes: readonly Route[];
  /** `CREATE TABLE ...`: run when an account is made. */
  readonly tables?: readonly string[];
  /** What happens later, by kind; rows are made with `account.schedule`. */
  readonly due?: Readonly<Record<string, DueHandler>>;
  /** What leaves the emulator, by kind of outbox entry; entries are made with `account.post`. */
  readonly effects?: Readonly<Record<string, Effect>>;
  /** The kinds among these that the outbox does not list. */
  readonly unlisted?: readonly string[];
  /** What this family does when another one announces an event, e.g. `droplet.deleted`. */
  readonly on?: Readonly<Record<string, Listener>>;
  /** What is done whenever an account is opened, before anything else. */
  readonly opened?: (account: Account) => void;
  /** What every new account has, also an empty one. */
  readonly born?: (account: Account) => void;
}
