import { resolve } from 'node:path';
import { CliError } from '../cli-error.ts';
import { bridge } from './bridge.ts';
import { type Endpoint, mcpAddress, type Wishes } from './endpoint.ts';
import { type UsedInstallation, useInstallation } from './installation.ts';
import { linesIn } from './lines-in.ts';

/** What `deckhand mcp` was told. */
export interface McpOptions extends Wishes {
  readonly data: string;
  readonly url?: string;
}

/**
 * Speaks MCP over stdin and stdout until stdin ends. Nothing but messages goes to stdout.
 *
 * @param token the bearer for `--url`
 * @throws CliError where there is no installation to speak to and none could be started
 */
export async function runMcp(options: McpOptions, token: string | undefined): Promise<void> {
  const lines = linesIn(process.stdin);
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  if (options.url !== undefined) {
    const remote = remoteEndpoint(options.url, token, options);
    await bridge({ lines, write, endpoint: async () => remote });
    return;
  }
  const local = await localEndpoint(resolve(options.data), options);
  try {
    await bridge({ lines, write, endpoint: local.endpoint });
  } finally {
    local.release();
  }
}

function remoteEndpoint(router: string, token: string | undefined, wishes: Wishes): Endpoint {
  if (token === undefined) {
    throw new CliError(
      `--url ${router} needs the token to call it with: set DECKHAND_TOKEN in the environment, which clients do with "env"`,
    );
  }
  return { url: mcpAddress(router, wishes), token };
}

interface LocalEndpoint {
  readonly endpoint: () => Promise<Endpoint>;
  readonly release: () => void;
}

/** The installation on a data directory; when it has gone, the one that takes its place. */
async function localEndpoint(dataDir: string, wishes: Wishes): Promise<LocalEndpoint> {
  let installation = await useInstallation(dataDir);
  let renewing: Promise<UsedInstallation> | undefined;
  const renewed = async () => {
    installation = await useInstallation(dataDir);
    return installation;
  };
  return {
    async endpoint() {
      if (installation.lost()) {
        renewing ??= renewed().finally(() => {
          renewing = undefined;
        });
        await renewing;
      }
      return { url: mcpAddress(installation.router, wishes), token: installation.token };
    },
    release: () => installation.release(),
  };
}
