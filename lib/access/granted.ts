import { hintsOf, type Tool } from '../catalogue/tool.ts';
import { ToolError } from '../errors.ts';
import type { Grant } from '../functions/access-tokens.ts';
import type { Settings } from '../functions/settings.ts';
import type { Caller } from './callers.ts';
import { challengeOf } from './jwt/challenge.ts';
import { admitsName, patternOf } from './tool-pattern.ts';

/** What the operator opens to a caller. */
export interface Granted {
  /** Nothing but reading. */
  readonly readOnly: boolean;
  readonly everything: boolean;
  /** Ends the sentence that refuses a tool; undefined for one that is open. */
  refusal(tool: Tool, toolset: string): string | undefined;
}

/** What a caller's grants open together: what any of them opens. */
export function grantedTo({ name, grants }: Pick<Caller, 'name' | 'grants'>): Granted {
  if (!grants) return { readOnly: false, everything: true, refusal: () => undefined };
  const doors = grants.map(doorOf);
  return {
    readOnly: grants.every(({ readOnly }) => readOnly),
    everything: grants.some(opensEverything),
    refusal(tool, toolset) {
      const reasons = doors.map((refuse) => refuse(tool, toolset, name));
      return reasons.includes(undefined) ? undefined : reasons[0];
    },
  };
}

/** Whether a grant caps nothing. */
export function opensEverything({ readOnly, toolsets, tools }: Grant): boolean {
  return !readOnly && !toolsets && !tools;
}

/** The refusal of a tool that the caller's scopes do not open, with the first scope that would. */
export function notGranted(
  tool: Tool,
  toolset: string,
  reason: string,
  { subject }: Pick<Caller, 'subject'>,
  { own }: Settings,
): ToolError {
  const message = `${tool.name} cannot be called: ${reason}`;
  const jwt = subject === undefined ? undefined : own?.jwt;
  const opening = jwt?.scopes.find((scope) => doorOf(scope)(tool, toolset, scope.name) === undefined);
  if (!jwt || !opening) return new ToolError('forbidden', message);
  const challenge = challengeOf(jwt, { error: 'insufficient_scope', scope: opening.name });
  return new ToolError('forbidden', `${message}; a token with the scope ${opening.name} opens it`, { challenge });
}

type Door = (tool: Tool, toolset: string, name: string) => string | undefined;

function doorOf({ readOnly, toolsets, tools }: Grant): Door {
  const patterns = tools?.map(patternOf);
  return (tool, toolset, name) => {
    if (readOnly && !hintsOf(tool).readOnly) return 'only reading is allowed here';
    if (toolsets && !toolsets.includes(toolset)) return `the toolset ${toolset} is not open to ${name}`;
    return patterns && !admitsName(tool.name, patterns) ? `it is not open to ${name}` : undefined;
  };
}
