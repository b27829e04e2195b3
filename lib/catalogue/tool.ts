import type { z } from 'zod';
import type { NextCall } from '../errors.ts';
import type { ToolsetName } from './toolset-names.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Arguments after parsing: names as declared, defaults applied. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A query of the platform; members without a value are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Names the calls that lead out when the platform's message matches. */
export interface Recovery<Input> {
  readonly when: RegExp;
  readonly next: (input: Input) => readonly NextCall[];
}

/**
 * One operation of the platform as a tool. Schema, hints, request, result, documentation and tests derive from it.
 */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses: what it does, what it needs, what it leaves behind. */
  readonly description: string;
  /** The arguments. A function, so that nothing is built before it is asked for. */
  readonly input: () => z.ZodObject;
  /** Method and path of the platform; `{Name}` stands for the argument of that name. */
  readonly route: string;
  readonly query?: (input: Arguments) => Query;
  readonly body?: (input: Arguments) => unknown;
  /** The key of the reply's envelope. Absent: the reply is taken whole. */
  readonly returns?: string;
  /** For lists: the paths that make up an item, unless `Fields` asks for others. */
  readonly summary?: readonly string[];
  /** For writes: the read that tells whether it happened. */
  readonly verify?: (input: Arguments) => NextCall;
  readonly recover?: readonly Recovery<Arguments>[];
  /** Where the method lies about what the operation does. */
  readonly hints?: Partial<Hints>;
}

/** What a client may assume about a call, as MCP's annotations name it. */
export interface Hints {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
}

/** The tools of one domain, served together. */
export interface Toolset {
  readonly name: ToolsetName;
  readonly title: string;
  readonly tools: readonly Tool[];
}

type Placeholders<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

/** A route is `METHOD /v2/...` and its placeholders are arguments; anything else is a compile error that names the culprit. */
type CheckedRoute<Route extends string, Names> = Route extends `${Method} /v2/${string}`
  ? Exclude<Placeholders<Route>, Names> extends never
    ? Route
    : `no argument is called ${Exclude<Placeholders<Route>, Names> & string}`
  : 'a route is METHOD /v2/...';

interface Declaration<Shape extends z.ZodRawShape, Route extends string> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: () => z.ZodObject<Shape>;
  readonly route: CheckedRoute<Route, keyof Shape> & Route;
  readonly query?: (input: z.output<z.ZodObject<Shape>>) => Query;
  readonly body?: (input: z.output<z.ZodObject<Shape>>) => unknown;
  readonly returns?: string;
  readonly summary?: readonly string[];
  readonly verify?: (input: z.output<z.ZodObject<Shape>>) => NextCall;
  readonly recover?: readonly Recovery<z.output<z.ZodObject<Shape>>>[];
  readonly hints?: Partial<Hints>;
}

/** Declares a tool. The literal is checked against its own arguments; at run time it is the identity. */
export function tool<Shape extends z.ZodRawShape, const Route extends string>(declaration: Declaration<Shape, Route>): Tool {
  // Safe: the functions of a declaration are only ever called with what its own input accepted.
  return declaration as unknown as Tool;
}

/** The method of a tool's route. */
export function methodOf(tool: Tool): Method {
  // Safe: `tool()` admits no other beginning of a route.
  return tool.route.slice(0, tool.route.indexOf(' ')) as Method;
}

/** The path template of a tool's route. */
export function pathOf(tool: Tool): string {
  return tool.route.slice(tool.route.indexOf(' ') + 1);
}

/** The names of the arguments that stand in a tool's path. */
export function pathArguments(tool: Tool): readonly string[] {
  return [...pathOf(tool).matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

/** What a client may assume: derived from the method, corrected where a declaration says so. */
export function hintsOf(tool: Tool): Hints {
  const method = methodOf(tool);
  return {
    readOnly: method === 'GET',
    destructive: method === 'DELETE',
    idempotent: method === 'GET' || method === 'PUT' || method === 'DELETE',
    ...tool.hints,
  };
}
