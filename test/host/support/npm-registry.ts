import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { tempDir } from './test-host.ts';

/** What a package holds, by path; what begins with `#!` can be run. Its `package.json`, if it has one, need not say name and version. */
export type PackageFiles = Readonly<Record<string, string>>;

export interface NpmRegistry {
  /** Every request so far, by path. */
  readonly asked: readonly string[];
  /** From now on nothing is answered but a 404. */
  goAway(): void;
  /** From now on requests for tarballs are taken and not answered. */
  hang(): void;
}

/** An npm registry of a few packages, `name@version`, which npm uses until the test ends. */
export async function npmRegistry(packages: Readonly<Record<string, PackageFiles>>): Promise<NpmRegistry> {
  const tarballs = new Map(Object.entries(packages).map(([id, files]) => [id, tarball(id, files)]));
  const asked: string[] = [];
  let mode: 'serves' | 'hangs' | 'is gone' = 'serves';
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    asked.push(path);
    const tar = tarballs.get(path);
    if (tar && mode === 'hangs') return;
    const document = mode === 'is gone' ? undefined : (tar ?? packument(path, packages, request.headers.host ?? ''));
    response.writeHead(document === undefined ? 404 : 200).end(document);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this shape.
  useRegistry(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    asked,
    goAway: () => {
      mode = 'is gone';
    },
    hang: () => {
      mode = 'hangs';
    },
  };
}

/** No registry answers until the test ends. */
export function noRegistry(): void {
  useRegistry('http://127.0.0.1:9/');
}

/** There is no npm to ask until the test ends. */
export function noNpm(): void {
  useEnvironment({ PATH: tempDir(), npm_execpath: '' });
}

function useRegistry(url: string): void {
  useEnvironment({ npm_config_registry: url, npm_config_cache: tempDir() });
}

function useEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

function packument(name: string, packages: Readonly<Record<string, PackageFiles>>, host: string): string | undefined {
  const ids = Object.keys(packages).filter((id) => nameOf(id) === name);
  if (ids.length === 0) return undefined;
  const versions = ids.map((id) => {
    const dist = { tarball: `http://${host}/${encodeURIComponent(id)}` };
    return [versionOf(id), { ...manifest(id, packages[id]), dist }];
  });
  return JSON.stringify({ name, 'dist-tags': { latest: versions.at(-1)?.[0] }, versions: Object.fromEntries(versions) });
}

function tarball(id: string, files: PackageFiles): Buffer {
  const directory = tempDir();
  for (const [name, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest(id, files)) })) {
    const path = join(directory, 'package', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (text.startsWith('#!')) chmodSync(path, 0o755);
  }
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: directory });
  return readFileSync(join(directory, 'package.tgz'));
}

function manifest(id: string, { 'package.json': own = '{}' }: PackageFiles = {}): { readonly name: string; readonly version: string } {
  return { ...JSON.parse(own), name: nameOf(id), version: versionOf(id) };
}

function nameOf(id: string): string {
  return id.slice(0, id.lastIndexOf('@'));
}

function versionOf(id: string): string {
  return id.slice(id.lastIndexOf('@') + 1);
}
