import type { CallScope } from '../../access/call.ts';
import type { WebRequest } from '../../functions/event.ts';
import type { CallRecord } from '../call-log.ts';
import type { Served } from '../scope.ts';
import type { RpcRequest } from './message.ts';

/** What a method is answered from. */
export interface MethodScope {
  readonly request: WebRequest;
  readonly served: Served;
  readonly call: CallScope;
  /** The revision of the request, which decides what a result carries. */
  readonly modern: boolean;
  /** What a result may take as JSON. */
  readonly maxBytes: number;
  /** Notes what was called, and how it ended. */
  readonly log: (call: string, outcome: CallRecord['outcome']) => void;
}

/** Answers one request with the JSON text of its result; throws RpcError for what the protocol itself refuses. */
export type Method = (message: RpcRequest, scope: MethodScope) => Promise<string> | string;

/** The methods that are mounted, by name and era. The product mounts tools, and tasks where it has what seals them. */
export interface Methods {
  readonly modern: Readonly<Record<string, Method>>;
  readonly legacy: Readonly<Record<string, Method>>;
  /** Of the newest era too, where the installation has a key to seal with. */
  readonly sealed?: Readonly<Record<string, Method>>;
}
