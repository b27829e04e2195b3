import { delimiter, dirname } from 'node:path';
import type { Environment } from '../project.ts';

const KEPT = new Set(
  [
    ['path', 'home', 'user', 'logname', 'shell', 'lang', 'language', 'tz', 'tmpdir', 'tmp', 'temp', 'ci', 'ssh_auth_sock'],
    ['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy', 'node_extra_ca_certs', 'ssl_cert_file', 'ssl_cert_dir'],
    [
      'npm_config_registry',
      'npm_config_userconfig',
      'npm_config_globalconfig',
      'npm_config_cache',
      'npm_config_cafile',
      'npm_config_strict_ssl',
    ],
    ['npm_config_proxy', 'npm_config_https_proxy', 'npm_config_noproxy', 'npm_config_offline', 'npm_config_prefer_offline'],
    ['systemroot', 'windir', 'comspec', 'pathext', 'appdata', 'localappdata', 'userprofile', 'programfiles', 'programdata', 'systemdrive'],
  ].flat(),
);

/**
 * The environment of a build: what a shell and npm need to work, and nothing else of the caller's, so that no secret of a deployment
 * reaches an install script and no setting of a surrounding npm run changes the result. `node` is the one at `nodePath`; `extra` is added
 * as it is.
 */
export function buildEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  nodePath: string,
  extra: Environment,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  let pathName = 'PATH';
  for (const [name, value] of Object.entries(from)) {
    const key = name.toLowerCase();
    if (value === undefined || !(KEPT.has(key) || key.startsWith('lc_') || key.startsWith('xdg_'))) continue;
    environment[name] = value;
    if (key === 'path') pathName = name;
  }
  environment[pathName] = [dirname(nodePath), environment[pathName]].filter((part) => part !== undefined && part !== '').join(delimiter);
  return { ...environment, ...extra };
}
