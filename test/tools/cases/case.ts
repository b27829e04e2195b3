import type { PlatformRequest } from '../../../lib/client/request.ts';

/** A call of a tool, and the request that it comes down to. */
export type RoutedCase = readonly [tool: string, given: object, request: PlatformRequest];

/** A call of a tool that makes several, what the platform answers to each (undefined: nothing, with 204), and the requests in their order. */
export type RunCase = readonly [tool: string, given: object, replies: readonly unknown[], requests: readonly PlatformRequest[]];
