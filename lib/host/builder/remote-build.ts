/** Sources that a client sent to be built and deployed here. */
export interface RemoteSlice {
  /** Where they are unpacked: one function's directory, `lib/`, and project.yml. Removed when the build has ended. */
  readonly dir: string;
  /** The key of the encrypted project.yml, 64 hexadecimal digits; undefined where it was sent in clear. */
  readonly encryptionKey: string | undefined;
  /** The caller's namespace on this host, and the only one that the build may deploy into. */
  readonly target: { readonly apihost: string; readonly auth: string };
  /** Goes into the environment of every process that the build starts, so that the host can end them all. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends the build: its time is over, or the host closes. */
  readonly signal: AbortSignal;
}

/** What a build printed, and what became of it, as the platform's deployer reads it. */
export interface RemoteBuilt {
  readonly transcript: readonly string[];
  readonly outcome: object;
}

/** Builds and deploys a slice. A HostError is for whoever sent it. */
export type RemoteBuild = (slice: RemoteSlice) => Promise<RemoteBuilt>;
