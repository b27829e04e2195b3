import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { activationId as newActivationId } from '../activations/activation-id.ts';
import { type ActivationRecord, type ActivationResponse, activationResponse } from '../activations/activation-record.ts';
import { unpackZip } from '../functions/unpack-zip.ts';
import { HostError } from '../host-error.ts';
import type { ProcessLedger } from '../instances/process-ledger.ts';
import { hostLimits } from '../limits.ts';
import type { Namespace } from '../namespaces/namespace.ts';
import type { Content } from '../rest/read-content.ts';
import { builderRecord } from './builder-record.ts';
import type { RemoteBuild, RemoteBuilt } from './remote-build.ts';
import { Slices } from './slices.ts';

/** Where uploads go; a path of this host's own. */
export const uploadPrefix = '/_local/slices/';

export interface BuilderOptions {
  readonly dataDir: string;
  readonly remoteBuild: RemoteBuild;
  readonly ledger: ProcessLedger;
  /** The host's address for clients, and for itself. */
  readonly apiHost: () => string;
  readonly ownUrl: () => string;
  readonly onBug: (error: unknown) => void;
}

/** A call of the builder: its activation's id, and the record once it has ended. */
export interface BuilderCall {
  readonly activationId: string;
  readonly recorded: Promise<ActivationRecord>;
}

/**
 * The platform's builder (platform reference, REST rows 15 and 16): takes slices of projects, and has them built and deployed into the
 * namespace of whoever sent them. Its calls leave activations there.
 */
export class Builder {
  readonly slices: Slices;
  readonly #options: BuilderOptions;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: BuilderOptions) {
    this.#options = options;
    this.slices = new Slices(options.dataDir);
  }

  /** Gives the caller an address to upload a slice to: its activation's result is `{url, sliceName}`. */
  grantUpload(caller: Namespace): BuilderCall {
    return this.#record(caller, 'getUploadUrl', async () => {
      const { sliceName, secret } = this.slices.expect(caller.namespace);
      return { url: `${this.#options.apiHost()}${uploadPrefix}${secret}`, sliceName };
    });
  }

  /** Builds and deploys an uploaded slice: its activation's result is `{transcript, outcome}`. */
  build(caller: Namespace, action: string, { toBuild, encryptionKey }: Content): BuilderCall {
    return this.#record(caller, action, async () => {
      if (typeof toBuild !== 'string') throw new HostError('bad_request', 'toBuild: expected the name of an uploaded slice');
      if (encryptionKey !== undefined && typeof encryptionKey !== 'string') {
        throw new HostError('bad_request', 'encryptionKey: expected the key of the slice in hexadecimal digits');
      }
      const zip = await this.slices.take(caller.namespace, toBuild);
      const dir = await mkdtemp(join(await realpath(tmpdir()), 'deckhand-slice-'));
      try {
        await unpackZip(zip, dir, 'the slice');
        return fitting(await this.#run(dir, encryptionKey, caller.record.auth));
      } finally {
        await rm(dir, { recursive: true, force: true, maxRetries: 3 });
      }
    });
  }

  /** Ends what is being built and waits for it. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#underWay);
    this.slices.clear();
  }

  async #run(dir: string, encryptionKey: string | undefined, auth: string): Promise<RemoteBuilt> {
    const timeUp = AbortSignal.timeout(hostLimits.remoteBuildMs);
    const signal = AbortSignal.any([timeUp, this.#closing.signal]);
    const { remoteBuild, ledger, ownUrl } = this.#options;
    const target = { apihost: ownUrl(), auth };
    const built = await ledger.runMarked((environment) => remoteBuild({ dir, encryptionKey, target, environment, signal }));
    if (!timeUp.aborted) return built;
    throw new HostError('bad_request', `the build was ended: it may take ${hostLimits.remoteBuildMs / 1000} seconds`);
  }

  #record(caller: Namespace, action: string, work: () => Promise<object>): BuilderCall {
    const activationId = newActivationId();
    const startMs = Date.now();
    const recorded = this.#responseOf(work).then((response) => {
      const record = builderRecord(activationId, caller.namespace, action, response, startMs);
      caller.activations.add(record, `builder/${action}`);
      return record;
    });
    this.#underWay.add(recorded);
    void recorded.finally(() => this.#underWay.delete(recorded));
    return { activationId, recorded };
  }

  async #responseOf(work: () => Promise<object>): Promise<ActivationResponse> {
    try {
      const result = await work();
      return activationResponse('success', { ...result }, Buffer.byteLength(JSON.stringify(result)));
    } catch (error) {
      if (!(error instanceof HostError)) this.#options.onBug(error);
      const result = { error: error instanceof HostError ? error.message : 'the builder failed' };
      return activationResponse('application_error', result, Buffer.byteLength(JSON.stringify(result)));
    }
  }
}

/** The end of the transcript, so long that a record keeps it whole. */
function fitting({ transcript, outcome }: RemoteBuilt): RemoteBuilt {
  let room = hostLimits.recordedResultBytes - Buffer.byteLength(JSON.stringify({ transcript: [], outcome }));
  let from = transcript.length;
  for (; from > 0 && room > 0; from -= 1) room -= Buffer.byteLength(JSON.stringify(transcript[from - 1])) + 1;
  return { transcript: transcript.slice(room < 0 ? from + 1 : from), outcome };
}
