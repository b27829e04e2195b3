import { setTimeout as wait } from 'node:timers/promises';
import { DeployError } from '../deploy-error.ts';
import type { Target } from '../functions-api.ts';
import { type Answer, basicAuthorization, expectSuccess, field, isRecord, originOf, send, unexpected, upload } from './connection.ts';

/** What a builder answers: what it printed, and what became of the function. */
export interface Built {
  readonly transcript: readonly string[];
  /** Reasons why it is not deployed; none where it is. */
  readonly failures: readonly string[];
}

/** The builder of a host (platform reference, REST rows 15 and 16). Each call throws a DeployError. */
export interface BuilderApi {
  /** Asks where a slice of this function (`package_function`) may go, and puts it there; answers the slice's name. */
  readonly upload: (tag: string, zip: Buffer) => Promise<string>;
  /** Builds and deploys an uploaded slice for a kind; resolves when that is done. */
  readonly build: (kind: string, sliceName: string, encryptionKey: string) => Promise<Built>;
}

const UPLOAD_WITHIN_MS = 2 * 60_000;
const BUILD_WITHIN_MS = 15 * 60_000;
const FIRST_POLL_MS = 50;
const LAST_POLL_MS = 1000;

export function builderApi(target: Target): BuilderApi {
  const origin = originOf(target.apihost);
  const authorization = basicAuthorization(target.auth);

  const invoke = async (action: string, json: object, withinMs: number): Promise<unknown> => {
    const url = `${origin}/api/v1/namespaces/nimbella/actions/builder/${action}`;
    const answer = await send(url, { method: 'POST', authorization, json });
    if (answer.status === 404) throw new DeployError('unsupported', notThere(answer));
    const id = field(expectSuccess(answer).body, 'activationId');
    if (typeof id !== 'string') throw unexpected(answer, 'an activationId');
    return resultOf(await activation(`${origin}/api/v1/namespaces/_/activations/${id}`, authorization, withinMs));
  };

  return {
    upload: async (tag, zip) => {
      const place = await invoke('getUploadUrl', { action: tag }, UPLOAD_WITHIN_MS);
      const url = field(place, 'url');
      const sliceName = field(place, 'sliceName');
      if (typeof url !== 'string' || typeof sliceName !== 'string' || !URL.canParse(url)) {
        throw new DeployError(
          'rejected',
          'the host answered no address to upload the sources to: build on this machine, without remote build',
        );
      }
      const { status } = await upload(url, zip);
      if (status !== 200)
        throw new DeployError('rejected', `${new URL(url).origin}: the upload of the sources was answered with ${status}`);
      return sliceName;
    },
    build: async (kind, toBuild, encryptionKey) =>
      builtOf(await invoke(`build_${kind.replace(':', '_')}`, { toBuild, encryptionKey }, BUILD_WITHIN_MS)),
  };
}

function notThere({ url, body }: Answer): string {
  const said = field(body, 'error');
  return `${url}: the host does not build there (${typeof said === 'string' ? said : 'no reason given'}): build on this machine, without remote build`;
}

/** The record of an activation, once it is stored. */
async function activation(url: string, authorization: string, withinMs: number): Promise<Answer> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = FIRST_POLL_MS; performance.now() < deadline; pauseMs = Math.min(2 * pauseMs, LAST_POLL_MS)) {
    const answer = await send(url, { authorization });
    if (answer.status !== 404) return expectSuccess(answer);
    await wait(pauseMs);
  }
  throw new DeployError(
    'unreachable',
    `${url}: not finished within ${withinMs / 60_000} minutes: look at its log, or build on this machine`,
  );
}

function resultOf(answer: Answer): unknown {
  const response = field(answer.body, 'response');
  const result = field(response, 'result');
  if (field(response, 'success') === true) return result;
  const error = field(result, 'error');
  const words = typeof error === 'string' ? error : field(error, 'message');
  throw new DeployError('build_failed', `the remote build failed: ${typeof words === 'string' ? words : 'no reason given'}`);
}

function builtOf(result: unknown): Built {
  const transcript = field(result, 'transcript');
  const failures = field(field(result, 'outcome'), 'failures');
  return {
    transcript: Array.isArray(transcript) ? transcript.map(String) : [],
    failures: Array.isArray(failures) ? failures.map(wordsOf) : ['the builder told no outcome'],
  };
}

/** An error that travelled as JSON may have lost its message. */
function wordsOf(failure: unknown): string {
  if (!isRecord(failure)) return String(failure);
  const words = failure.message ?? failure.error ?? failure.context;
  return typeof words === 'string' ? words : 'no reason given';
}
