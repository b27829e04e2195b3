/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Keys and JSON values: parameters, annotations. */
export type JsonObject = Readonly<Record<string, Json>>;

/** Environment variables: strings only, as the platform demands. */
export type Environment = Readonly<Record<string, string>>;

/** A project directory, read and checked: everything a deployment needs to know before it builds. */
export interface Project {
  /** Absolute path of the project directory. */
  readonly dir: string;
  /** Namespaces the project may go to; empty when it does not say. */
  readonly targetNamespaces: readonly string[];
  readonly packages: readonly ProjectPackage[];
  /** How the root `lib/` is built before any function; null when there is nothing to build. */
  readonly lib: BuildStep | null;
  /** Files under `packages/` that are no functions this deployer knows, with the reason. */
  readonly strays: readonly Skipped[];
  /** What project.yml names and has no value, where the project was read all the same: variables, and files as `<name`. */
  readonly unresolved: readonly string[];
}

/** A package with the parameters and environment of the project already merged into it. `default` carries functions only. */
export interface ProjectPackage {
  readonly name: string;
  readonly shared: boolean;
  readonly parameters: JsonObject;
  readonly environment: Environment;
  readonly annotations: JsonObject;
  readonly binding: { readonly namespace: string; readonly name: string } | null;
  readonly functions: readonly ProjectFunction[];
}

/** One function as project.yml and the disk describe it together. */
export interface ProjectFunction {
  readonly name: string;
  readonly package: string;
  /** `package/name`, or `name` in the default package. */
  readonly fullName: string;
  readonly source: FunctionSource;
  /** The kind as declared (`nodejs:22`) or as the file's name says; null for the default of Node.js. */
  readonly runtime: string | null;
  readonly main: string | null;
  readonly web: boolean | 'raw';
  /** The secret that callers must show, or false. */
  readonly webSecure: string | false;
  readonly parameters: JsonObject;
  readonly environment: Environment;
  readonly annotations: JsonObject;
  readonly limits: Limits;
  readonly triggers: readonly Trigger[];
  readonly binary: boolean | null;
  /** Its build runs on the host, or here, whatever the deployment asks for. */
  readonly remoteBuild: boolean;
  readonly localBuild: boolean;
  /** Where the function is declared or, when project.yml does not name it, where it lies. */
  readonly declaredAt: { readonly file: string; readonly line: number | null };
}

/** Where a function's code comes from. Paths are absolute. `unsupported` is a function that cannot run here, with the reason. */
export type FunctionSource =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'directory'; readonly path: string; readonly build: BuildStep | null; readonly include: readonly IncludeItem[] | null }
  | { readonly type: 'sequence'; readonly components: readonly string[] }
  | { readonly type: 'unsupported'; readonly reason: string };

/** One line of a `.include` file: a literal path of a file or directory, relative to the function. */
export interface IncludeItem {
  readonly path: string;
  readonly line: number;
}

/** What builds a directory: its script, or npm with or without a build script (specification, package.json and Project layout). */
export interface BuildStep {
  readonly type: 'build.sh' | 'build.cmd' | 'npm-build' | 'npm-install';
  /** Absolute path of the directory it runs in. */
  readonly dir: string;
}

/** Limits of a function: timeout in milliseconds, memory and logs in megabytes. Absent ones take the platform's defaults. */
export interface Limits {
  readonly timeout?: number;
  readonly memory?: number;
  readonly logs?: number;
}

/** A schedule of a function; `cron` has five fields. */
export interface Trigger {
  readonly name: string;
  readonly enabled: boolean;
  readonly cron: string;
  readonly body: JsonObject | null;
}

/** What is left out of a deployment, and why. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}
