import { type AccessToken, rateText } from '../../functions/access-tokens.ts';
import { typed } from '../typed.ts';

const columns = ['NAME', 'TOOLSETS', 'TOOLS', 'MAY', 'RATE'];

/** Who may call, one a line, under a heading. */
export function describeTokens(callers: readonly AccessToken[]): string {
  if (callers.length === 0) return `nobody: ACCESS_TOKENS is not set; ${typed('deckhand token add <name>')} makes a token\n`;
  const rows = callers.map(({ name, toolsets, tools, readOnly, rate }) => [
    name,
    toolsets?.join(',') ?? 'all',
    tools?.join(',') ?? 'all',
    readOnly ? 'read' : 'read, write',
    rate ? rateText(rate) : 'any',
  ]);
  const widths = columns.map((_, index) => Math.max(...[columns, ...rows].map((row) => row[index]?.length ?? 0)));
  return [columns, ...rows]
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
