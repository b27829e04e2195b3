import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own that prints lines of JSON: the first when it is ready, and one for each line it is sent. */
export interface ServerProcess<Ready> {
  readonly ready: Ready;
  readonly pid: number;
  /** Sends a line and waits for the one that answers it. */
  ask(): Promise<unknown>;
  /** Ends its input, which ends the server; resolves with its exit code when it is gone. */
  stop(): Promise<number | null>;
}

/** What a server is started with beyond its arguments. */
export interface ServerOptions {
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `file` of this folder on this Node. `Ready` is what that file prints. */
export async function startServer<Ready>(
  file: string,
  args: readonly string[],
  { nodeOptions = [], env = {} }: ServerOptions = {},
): Promise<ServerProcess<Ready>> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [...nodeOptions, path, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const next = async (): Promise<unknown> => {
    const [line] = await once(lines, 'line');
    return JSON.parse(line);
  };
  const ask = (): Promise<unknown> => {
    const answer = next();
    child.stdin.write('\n');
    return answer;
  };
  const stop = async (): Promise<number | null> => {
    child.stdin.end();
    const [code] = await exited;
    return code;
  };
  // The file is one of this folder, and prints what its caller says.
  const ready = (await next()) as Ready;
  return { ready, pid: child.pid ?? 0, ask, stop };
}
