import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { deploySlice, type SliceResult } from '../../../lib/deployer/remote/deploy-slice.ts';
import { decryptConfig } from '../../../lib/deployer/remote/slice-cipher.ts';
import { type HostSettings, type RecordingHost, recordingHost } from './recording-host.ts';
import { writeFiles } from './temp-project.ts';
import { type Unzipped, unzip } from './unzip.ts';

/** A recording host that builds slices as the platform does; `slices` are the files of those that came, project.yml decrypted. */
export interface BuildingHost extends RecordingHost {
  readonly slices: readonly (readonly Unzipped[])[];
}

/** Starts one on a free port; it ends with the test. `answers` replaces what the builder would answer. */
export async function buildingHost(settings: HostSettings & { readonly answers?: unknown } = {}): Promise<BuildingHost> {
  const activations = new Map<string, unknown>();
  const slices: (readonly Unzipped[])[] = [];
  let uploaded: readonly Unzipped[] = [];
  const activation = (result: unknown): { status: number; body: unknown } => {
    const id = String(activations.size);
    activations.set(id, result);
    return { status: 202, body: { activationId: id } };
  };
  const build = async (encryptionKey: unknown): Promise<unknown> => {
    const files = uploaded.map((file) => ({
      ...file,
      content: file.name === 'project.yml' ? decryptConfig(file.content, String(encryptionKey)) : file.content,
    }));
    slices.push(files);
    return settings.answers ?? built(files, host);
  };
  const host: RecordingHost = await recordingHost({
    ...settings,
    serve: async ({ method, path, body, raw }) => {
      if (method === 'PUT' && path === '/upload/slice-1') {
        uploaded = await unzip(raw.toString('base64'));
        return { status: 200, body: {} };
      }
      if (method === 'POST' && path.endsWith('/builder/getUploadUrl')) {
        return activation({ url: `${host.apihost}/upload/slice-1`, sliceName: 'slice-1' });
      }
      if (method === 'POST' && path.includes('/builder/build_')) return activation(await build(body.encryptionKey));
      const id = /\/activations\/(\w+)$/.exec(path)?.[1];
      if (id === undefined) return null;
      const result = activations.get(id);
      const failed = typeof result === 'object' && result !== null && 'error' in result;
      return { status: 200, body: { response: { success: !failed, result } } };
    },
  });
  return { ...host, slices };
}

async function built(files: readonly Unzipped[], host: RecordingHost): Promise<SliceResult> {
  const dir = mkdtempSync(join(tmpdir(), 'deckhand-slice-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const config = files.find((file) => file.name === 'project.yml')?.content ?? '';
  writeFiles(dir, Object.fromEntries(files.filter((file) => file.name !== 'project.yml').map(({ name, content }) => [name, content])));
  return deploySlice({ dir, config }, host);
}
