import type { z } from 'zod';
import type { NextCall, Problem } from '../errors.ts';
import { perTool } from './per-tool.ts';
import type { Method, PlatformCalls, PlatformRecord, Query } from './platform-calls.ts';
import type { TextForm } from './reading/text-form.ts';
import type { ToolsetName } from './toolset-names.ts';

/** Arguments after parsing: names as declared, defaults applied. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Names the calls that lead out when the platform's message matches. */
export interface Recovery<Input> {
  readonly when: RegExp;
  readonly next: (input: Input) => readonly NextCall[];
}

/** How the end of what a write sets going is seen. */
export interface Follow<Input> {
  /** The members of what was started that `path` names; default: its `id`. A platform that does not tell them cannot be asked. */
  readonly known?: readonly string[];
  /** Where it is read. `started` is the result of the write, or one of its items. */
  readonly path: (input: Input, started: PlatformRecord) => string;
  /** The key of that reply's envelope. */
  readonly returns: string;
  /** The values, in small letters, that its `status` has while it is under way. */
  readonly pending: readonly string[];
  /** The call that looks again. */
  readonly next: (input: Input, started: PlatformRecord) => NextCall;
}

/** What every tool declares; `Input` are its arguments as read, `Name` their names. */
interface Common<Input, Name extends string> {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses: what it does, what it needs, what it leaves behind. */
  readonly description: string;
  /** Names it can be called by and is never listed under. */
  readonly alsoCalled?: readonly string[];
  /** Further names of arguments, and the argument each stands for. */
  readonly aliases?: Readonly<Record<string, Name>>;
  /** The arguments in whose objects `entry_port` is as good as `EntryPort`. */
  readonly snakeCaseIn?: readonly Name[];
  /** Texts that stand for something else, by path (`rules.value`; a list's items by the list's name): what they stand for is taken too. */
  readonly texts?: Readonly<Record<string, TextForm>>;
  /**
   * What types cannot say: rules between arguments, the form of texts. It is given what was read well and runs before anything is sent; its problems are
   * told together with those of the types.
   */
  readonly check?: (input: Partial<Input>) => readonly Problem[];
  /**
   * Names of members whose values are secrets, at any depth. In results they are shown only to a call that sets `RevealSecrets`; in problems never.
   */
  readonly secrets?: readonly string[];
  /** The key of the reply's envelope, or keys of which one is there. Absent: the reply is taken whole. */
  readonly returns?: string | readonly string[];
  /** Brings a record of the reply into the words that are used outside. */
  readonly show?: (record: PlatformRecord) => PlatformRecord;
  /** For lists: the paths that make up an item, unless `Fields` asks for others. */
  readonly summary?: readonly string[];
  /** For writes: the read, or the few, that tell whether it happened, also when it is over; where none can tell, the same call again, if that is harmless. */
  readonly verify?: (input: Input) => NextCall | readonly NextCall[];
  readonly recover?: readonly Recovery<Input>[];
  /** For writes that set something going: such a tool takes `Wait`. */
  readonly follow?: Follow<Input>;
}

/** A tool that is one call of the platform. */
interface Routed<Input, Route> {
  /** Method and path of the platform; `{Name}` stands for the argument of that name. */
  readonly route: Route;
  readonly query?: (input: Input) => Query;
  readonly body?: (input: Input) => unknown;
  /** Where the method lies about what the operation does. */
  readonly hints?: Partial<Hints>;
  readonly run?: undefined;
  readonly calls?: undefined;
}

/** A tool that needs several calls of the platform, or chooses among them. */
interface Run<Input, Route> {
  /** Every call that it may make, in the form of a route. */
  readonly calls: readonly Route[];
  /** Makes the calls and returns the body of the reply that `returns` applies to. */
  readonly run: (input: Input, platform: PlatformCalls) => Promise<unknown>;
  readonly hints: Hints;
  readonly route?: undefined;
}

export interface RoutedTool extends Common<Arguments, string>, Routed<Arguments, string> {
  /** The arguments. A function, so that nothing is built before it is asked for. */
  readonly input: () => z.ZodObject;
}

export interface RunTool extends Common<Arguments, string>, Run<Arguments, string> {
  readonly input: () => z.ZodObject;
}

/**
 * One operation of the platform as a tool. Schema, hints, request, result, documentation and tests derive from it.
 */
export type Tool = RoutedTool | RunTool;

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
  /** What is known of the tools before they are looked at: bundles load the declarations only then. Absent: the declarations tell. */
  readonly outline?: ToolsetOutline;
}

/** The names that the tools of a toolset are called by. */
export interface ToolsetOutline {
  readonly listed: readonly string[];
  readonly unlisted: readonly string[];
}

/** The outline that the declarations of a toolset tell. */
export function outlineOf({ tools }: Pick<Toolset, 'tools'>): ToolsetOutline {
  return { listed: tools.map(({ name }) => name), unlisted: tools.flatMap(({ alsoCalled = [] }) => alsoCalled) };
}

type Placeholders<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

/** A route is `METHOD /v2/...` and its placeholders are arguments; anything else is a compile error at the route. */
type CheckedRoute<Route extends string, Names> = Route extends `${Method} /v2/${string}`
  ? Exclude<Placeholders<Route>, Names> extends never
    ? Route
    : `no argument is called ${Exclude<Placeholders<Route>, Names> & string}`
  : 'a route is METHOD /v2/...';

type Declaration<Shape extends z.ZodRawShape, Route extends string, Input = z.output<z.ZodObject<Shape>>> = Common<
  Input,
  keyof Shape & string
> & {
  readonly input: () => z.ZodObject<Shape>;
} & (Routed<Input, CheckedRoute<Route, keyof Shape> & Route> | Run<Input, CheckedRoute<Route, keyof Shape> & Route>);

/** Declares a tool. The literal is checked against its own arguments; at run time it is the identity. */
export function tool<Shape extends z.ZodRawShape, const Route extends string>(declaration: Declaration<Shape, Route>): Tool {
  // Safe: the functions of a declaration are only ever called with what its own input accepted.
  return declaration as unknown as Tool;
}

/** The calls of the platform that a tool may make, as `METHOD /v2/...` with placeholders. */
export function callsOf(tool: Tool): readonly string[] {
  return tool.run ? tool.calls : [tool.route];
}

/** The method of a route. */
export function methodOf(route: string): Method {
  // Safe: `tool()` admits no other beginning of a route.
  return route.slice(0, route.indexOf(' ')) as Method;
}

/** The path template of a route. */
export function pathOf(route: string): string {
  return route.slice(route.indexOf(' ') + 1);
}

/** The names of the arguments that stand in the paths of a tool's calls. */
export const pathArguments: (tool: Tool) => readonly string[] = perTool((tool) => [
  ...new Set(callsOf(tool).flatMap((route) => [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''))),
]);

/** What a client may assume: what the tool declares, or else what its method says, corrected where the declaration says so. */
export const hintsOf: (tool: Tool) => Hints = perTool((tool) => {
  if (tool.run) return tool.hints;
  const method = methodOf(tool.route);
  return {
    readOnly: method === 'GET',
    destructive: method === 'DELETE',
    idempotent: method === 'GET' || method === 'PUT' || method === 'DELETE',
    ...tool.hints,
  };
});
