import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogue } from '../../lib/catalogue/catalogue.ts';
import { renderListing } from '../../lib/catalogue/listing.ts';
import type { Schema } from '../../lib/catalogue/schema.ts';
import { callsOf, hintsOf, type Tool, type Toolset } from '../../lib/catalogue/tool.ts';
import { toolsets } from '../../packages/gateway/router/tools.ts';
import { routedCases, runCases } from '../../test/tools/cases/every-case.ts';

/** Writes docs/tools.md out of the declarations; with `--check` says whether it is what they say. */
const page = fileURLToPath(new URL('../../docs/tools.md', import.meta.url));
const text = renderPage(toolsets);
if (!process.argv.includes('--check')) {
  writeFileSync(page, text);
} else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  process.stderr.write('docs/tools.md is not what the declarations say: run "npm run docs"\n');
  process.exitCode = 1;
}

function renderPage(all: readonly Toolset[]): string {
  const known = catalogue(all, renderListing(all));
  const sections = all.flatMap(({ name, title, tools }) => [
    `## ${title} (\`${name}\`, ${tools.length})`,
    '',
    '| Tool | Does | Arguments | Calls | Cases |',
    '|---|---|---|---|---|',
    ...tools.map((tool) => {
      const calls = callsOf(tool).map((call) => `\`${call}\``);
      const cells = [
        `\`${tool.name}\`${marks(tool)}`,
        tool.description,
        argumentsOf(known.schemaOf(tool.name)),
        calls.join('<br>'),
        casesOf(tool),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
  ]);
  return [
    '# Tools',
    '',
    `The ${known.names.length} tools, out of their declarations. **r** changes nothing, **d** destroys or interrupts something, **i** may be repeated. Arguments in bold are required.`,
    '',
    'Calls are those of the platform that the tool makes. Cases are the calls of it that tests hold to the exact request, and that request to the platform document; each',
    'tool has some, or the tests fail, and so do the replies of the emulator to every one of these calls.',
    '',
    ...sections,
  ].join('\n');
}

function marks(tool: Tool): string {
  const { readOnly, destructive, idempotent } = hintsOf(tool);
  return ` ${[readOnly && 'r', destructive && 'd', idempotent && !readOnly && 'i'].filter(Boolean).join(' ')}`.trimEnd();
}

function casesOf(tool: Tool): number {
  return [...routedCases, ...runCases].filter(([name]) => name === tool.name).length;
}

function argumentsOf(schema: Schema): string {
  if (schema.type !== 'object') return '';
  const entries = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const shown = schema.required?.includes(name) ? `**${name}**` : name;
    const initial = property.default === undefined ? '' : `, default ${JSON.stringify(property.default)}`;
    return `${shown} (${typeOf(property)}${initial})`;
  });
  return entries.join(', ') || 'none';
}

function typeOf(schema: Schema): string {
  if (schema.type === undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  if (schema.type === 'string' && schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  return schema.type;
}
