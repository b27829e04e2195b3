/** The revision in which every request carries what a handshake used to settle. */
export const modernVersion = '2026-07-28';

/** The revisions with a handshake, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

export const supportedVersions: readonly string[] = [modernVersion, ...legacyVersions];

/** What a client that sends no version header speaks. */
export const assumedVersion = '2025-03-26';

/** The last revision whose messages may come in batches. */
export const lastBatchedVersion = '2025-03-26';

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

export const metaKeys = { version: versionKey, capabilities: capabilitiesKey, serverInfo: 'io.modelcontextprotocol/serverInfo' } as const;

/** A revision with a handshake that this server knows. */
export function isLegacyVersion(version: string): boolean {
  return legacyVersions.some((legacy) => legacy === version);
}

/** A request is modern when its `_meta` says so, or when its version header names something other than a revision with a handshake. */
export function isModern(meta: Readonly<Record<string, unknown>>, versionHeader: string | undefined): boolean {
  if (versionKey in meta || capabilitiesKey in meta) return true;
  return versionHeader !== undefined && !isLegacyVersion(versionHeader);
}
