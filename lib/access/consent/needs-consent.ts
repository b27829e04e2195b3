import { hintsOf, type Tool } from '../../catalogue/tool.ts';
import type { Settings } from '../../functions/settings.ts';

/** Whether a call of a tool needs a person's consent. Apart from the asking, which is loaded with the first call that needs it. */
export function needsConsent(tool: Tool, { byModel }: { readonly byModel?: boolean }, { confirm }: Settings): boolean {
  const { readOnly, destructive } = hintsOf(tool);
  return byModel === true && !readOnly && confirm !== 'off' && (destructive || confirm === 'writes');
}
