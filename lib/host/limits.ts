const kib = 1024;
const mib = 1024 * kib;

/** The platform's limits on a function's own settings (platform reference, limits of functions). */
export const functionLimits = {
  timeoutMs: { least: 100, most: 15 * 60 * 1000, default: 3000 },
  memoryMib: { least: 128, most: 1024, default: 256 },
  logsMib: { least: 0, most: 16, default: 16 },
} as const;

/** The platform's limits on sizes and waiting. Bytes and milliseconds. */
export const hostLimits = {
  requestBytes: mib,
  resultBytes: mib,
  parameterBytes: mib,
  codeBytes: 48 * mib,
  /** Room for the largest code as base64, its parameters and the JSON around them. */
  deploymentBytes: 68 * mib,
  logBytes: 256 * kib,
  /** A caller waits this long for an answer, then gets the activation id instead. */
  waitMs: 30_000,
  /** The platform's limits per namespace. */
  invocationsPerMinute: 600,
  concurrentInvocations: 120,
  /** Of the platform's own API, for an account. */
  platformRequestsPerHour: 5000,
  platformRequestsPerMinute: 250,
  namespaces: 10,
  /** How many functions a sequence may call, those of the sequences in it included (platform reference, as upstream). */
  sequenceLength: 50,
  /** Per namespace. That there is a limit is documented, its number is not. */
  triggers: 100,
  recordedResultBytes: 64 * kib,
  activationRetentionMs: 3 * 24 * 60 * 60 * 1000,
  /** A bound for machines that are measured or tested for long: the platform knows none. */
  activationsKept: 100_000,
  /** Sources sent to be built here, as a zip, and what building them may take. */
  sliceBytes: 64 * mib,
  remoteBuildMs: 2 * 60 * 1000,
  unpackedBytes: 512 * mib,
  unpackedEntries: 50_000,
} as const;
