import type { Ready } from './start-options.ts';

/** What the block says beside the addresses. */
export interface Circumstances {
  /** Whether the platform is the emulator of this start. */
  readonly emulator: boolean;
  /** Where state is kept; undefined: nowhere. */
  readonly state?: string;
  readonly toolCount: number;
  /** The hooks, each with its state. */
  readonly hooks: readonly string[];
  /** Which calls of a model a person has to confirm: the setting CONFIRM. */
  readonly confirm: string;
  /** Milliseconds from the command to being ready; undefined: it was running already. */
  readonly tookMs?: number;
}

/** The block that tells a person where everything is and how to begin. */
export function readyBlock(ready: Ready, { emulator, state, toolCount, hooks, confirm, tookMs }: Circumstances): string {
  const bearer = `Authorization: Bearer ${ready.token}`;
  const cursor = JSON.stringify({
    mcpServers: { deckhand: { url: `${ready.mcp}/discover`, headers: { Authorization: `Bearer ${ready.token}` } } },
  });
  const head = [
    `Deckhand ${ready.version}`,
    emulator ? 'emulator, no account' : 'a real account',
    state === undefined ? 'nothing is kept' : `state ${state}`,
    confirmations(confirm, emulator),
    tookMs === undefined ? `running already (process ${ready.pid})` : `ready in ${(tookMs / 1000).toFixed(1)} s`,
  ];
  return [
    head.join('   '),
    `  MCP       ${ready.mcp}        ${toolCount} tools; /mcp/<toolset>, /mcp/discover, .../readonly`,
    `  JSON      ${ready.tools}`,
    `  Webhooks  ${ready.hooks}      ${hooks.join(', ') || 'none in hooks.yml'}`,
    `  Platform  ${ready.platform}${emulator ? '            mail and notices: /_emulator/outbox' : ''}`,
    `  Your doctl   doctl serverless connect --apihost ${ready.apihost} --auth ${ready.auth}`,
    `  Claude Code  claude mcp add --transport http deckhand ${ready.mcp} --header "${bearer}"`,
    `  Cursor       ${cursor}`,
    `  Try          curl ${ready.tools.replace(/^http:\/\//, '')}/instance-list -H "${bearer}" -d '{}'`,
  ].join('\n');
}

function confirmations(confirm: string, emulator: boolean): string {
  if (confirm !== 'off') return `confirmations of ${confirm === 'writes' ? 'all changes' : 'destructive calls'}`;
  return emulator ? 'confirmations off (emulator)' : 'confirmations off';
}
