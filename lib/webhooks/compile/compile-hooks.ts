import { isScalar, isSeq, type Node } from 'yaml';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type Expression, type Hook, type Rule, reservedNames } from '../hook.ts';
import { checkedCall } from './check-call.ts';
import { checkedExpression } from './check-expression.ts';
import { checkedVerification, oneOf } from './check-verification.ts';
import { HooksFileError } from './hooks-file-error.ts';
import { itemsOf, type Member, membersOf, readSource, type Source, shown, textOf } from './source.ts';

export interface CompileOptions {
  /** As messages name the file. */
  readonly file: string;
  /** The tools that hooks may call. */
  readonly catalogue: Catalogue;
  /** Whether the installation has a store: the setting KV_URL. */
  readonly hasStore: boolean;
}

/** The most that the platform takes in a request. */
const mostBytes = 1024 * 1024;

/**
 * Reads hooks.yml: what it says in data, held to the tools there are.
 *
 * @throws HooksFileError with every problem at once, each with its line and column
 */
export function compileHooks(text: string, { file, catalogue, hasStore }: CompileOptions): readonly Hook[] {
  const source = readSource(file, text);
  const scope = { catalogue, hasStore, source };
  const hooks = source.root === null || source.problems.length > 0 ? [] : hooksIn(source.root, scope);
  if (source.problems.length > 0) throw new HooksFileError(source.problems);
  return hooks;
}

interface Scope {
  readonly catalogue: Catalogue;
  readonly hasStore: boolean;
  readonly source: Source;
}

function hooksIn(root: Node, scope: Scope): readonly Hook[] {
  const { source } = scope;
  const top = membersOf(root, 'the file', ['hooks'], source).find(({ name }) => name === 'hooks');
  // `hooks:` with nothing behind it is a file in which all hooks were taken out.
  if (!top || (isScalar(top.value) && top.value.value === null)) return [];
  return membersOf(top.value, 'hooks', undefined, source, top.key).flatMap((member) => hookOf(member, scope) ?? []);
}

const memberNames = ['verify', 'hmac', 'secret', 'caller', 'id', 'dedupe', 'maxBytes', 'on'];

function hookOf({ name, key, value }: Member, scope: Scope): Hook | undefined {
  const { source } = scope;
  checkName(name, key, source);
  const members = membersOf(value, name, memberNames, source, key);
  if (members.length === 0) return undefined;
  const member = (wanted: string) => members.find((one) => one.name === wanted);
  const verify = checkedVerification(member('verify'), member('hmac'), name, source, key);
  const secrets = secretsOf(member('secret'), name, source, key);
  const caller = textOf(member('caller')?.value, `${name}: caller (a name in ACCESS_TOKENS, whose rights the hook has)`, source, key);
  const id = expressionOf(member('id'), `${name}: id`, source);
  const dedupe = member('dedupe') && oneOf(member('dedupe')?.value, ['store', 'memory'], `${name}: dedupe`, source, key);
  const maxBytes = maxBytesOf(member('maxBytes'), name, source);
  const rules = itemsOf(member('on')?.value, `${name}: on`, source, key).flatMap((item) => ruleOf(item, name, scope) ?? []);
  const writes = rules.some(({ run }) => run.some(({ readOnly }) => !readOnly));
  const dedupeInMemory = dedupe === 'memory';
  if (writes && !dedupeInMemory && !scope.hasStore) {
    source.refuse(
      key,
      `${name} calls what changes something, and there is no store to tell a delivery that is sent twice: set KV_URL, or say "dedupe: memory"`,
    );
  }
  if (!verify || caller === undefined) return undefined;
  return { name, verify, secrets, caller, ...(id !== undefined && { id }), dedupeInMemory, maxBytes, rules, writes };
}

function checkName(name: string, key: Node, source: Source): void {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) {
    source.refuse(key, `${JSON.stringify(name.slice(0, 80))}: a hook's name is small letters, digits and dashes, at most 63`);
  }
  if (reservedNames.includes(name)) source.refuse(key, `${name}: this address is taken; choose another name`);
}

/** `env:NAME`, or a list of them. The names alone: what they hold is read at run time. */
function secretsOf(member: Member | undefined, name: string, source: Source, at: Node): readonly string[] {
  const where = `${name}: secret`;
  const nodes = isSeq(member?.value) ? itemsOf(member?.value, where, source) : [member?.value];
  if (nodes.length === 0) source.refuse(at, `${where}: expected env:NAME`);
  return nodes.flatMap((node) => {
    const text = isScalar(node) ? String(node.value) : '';
    const variable = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(text)?.[1];
    if (variable !== undefined) return [variable];
    // What stands there may be the secret itself.
    source.refuse(
      node ?? member?.key ?? at,
      `${where}: expected env:NAME, the name of a setting that holds it; a secret itself never stands here`,
    );
    return [];
  });
}

function expressionOf(member: Member | undefined, what: string, source: Source): Expression | undefined {
  if (!member) return undefined;
  const text = textOf(member.value, what, source, member.key);
  return text === undefined ? undefined : checkedExpression(text, member.value ?? member.key, what, source);
}

function maxBytesOf(member: Member | undefined, name: string, source: Source): number {
  if (!member) return mostBytes;
  const value = isScalar(member.value) ? member.value.value : undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= mostBytes) return value;
  source.refuse(member.value ?? member.key, `${name}: maxBytes: expected an integer from 1 to ${mostBytes}, got ${shown(member.value)}`);
  return mostBytes;
}

function ruleOf(node: Node, name: string, { catalogue, source }: Scope): Rule | undefined {
  const members = membersOf(node, `${name}: on`, ['when', 'run'], source);
  const run = members.find((member) => member.name === 'run');
  const when = expressionOf(
    members.find((member) => member.name === 'when'),
    `${name}: when`,
    source,
  );
  const items = itemsOf(run?.value, `${name}: run`, source, node);
  const calls = items.map((item) => checkedCall(item, `${name}: run`, catalogue, source));
  const whole = calls.filter((call) => call !== undefined);
  return whole.length === calls.length ? { ...(when !== undefined && { when }), run: whole } : undefined;
}
