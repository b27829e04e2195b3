import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import { hostLimits } from '../limits.ts';
import type { Namespace } from '../namespaces/namespace.ts';
import { noContent, wireTime } from '../namespaces/platform-answer.ts';
import type { Content } from '../rest/read-content.ts';
import { readNewTrigger, readTriggerChange } from './read-trigger.ts';
import type { Trigger } from './triggers.ts';

/** `GET .../namespaces/NS/triggers` (functions_list_triggers). */
export function listTriggers({ namespace, triggers }: Namespace): Answer {
  return jsonAnswer(200, { triggers: triggers.all().map((trigger) => wireTrigger(trigger, namespace)) });
}

/** `GET .../namespaces/NS/triggers/T` (functions_get_trigger). */
export function getTrigger(namespace: Namespace, name: string): Answer {
  return jsonAnswer(200, { trigger: wireTrigger(found(namespace, name), namespace.namespace) });
}

/** `POST .../namespaces/NS/triggers` (functions_create_trigger). The function has to be there; the trigger may outlive it. */
export function createTrigger({ namespace, registry, triggers }: Namespace, content: Content): Answer {
  const asked = readNewTrigger(content);
  if (triggers.find(asked.name)) throw new HostError('conflict', `trigger "${asked.name}" exists already: delete it first, or update it`);
  if (!registry.function(asked.function)) throw new HostError('not_found', `function ${asked.function} not found`);
  if (triggers.all().length >= hostLimits.triggers) throw new HostError('unprocessable', 'triggers limit reached');
  const now = triggers.now();
  return jsonAnswer(200, { trigger: wireTrigger(triggers.put({ ...asked, createdMs: now, updatedMs: now, lastRunMs: null }), namespace) });
}

/** `PUT .../namespaces/NS/triggers/T` (functions_update_trigger): whether it is enabled, its cron and body. */
export function updateTrigger(namespace: Namespace, name: string, content: Content): Answer {
  const { triggers } = namespace;
  const { nextRunMs: _old, ...record } = found(namespace, name);
  const changed = triggers.put({ ...record, ...readTriggerChange(content), updatedMs: triggers.now() });
  return jsonAnswer(200, { trigger: wireTrigger(changed, namespace.namespace) });
}

/** `DELETE .../namespaces/NS/triggers/T` (functions_delete_trigger). */
export function deleteTrigger(namespace: Namespace, name: string): Answer {
  namespace.triggers.delete(found(namespace, name).name);
  return noContent;
}

function found({ triggers }: Namespace, name: string): Trigger {
  const trigger = triggers.find(name);
  if (!trigger) throw new HostError('not_found', 'trigger not found');
  return trigger;
}

function wireTrigger(trigger: Trigger, namespace: string): Content {
  const { name, isEnabled, cron, body, createdMs, updatedMs, lastRunMs, nextRunMs } = trigger;
  return {
    namespace,
    name,
    function: trigger.function,
    type: 'SCHEDULED',
    is_enabled: isEnabled,
    created_at: wireTime(createdMs),
    updated_at: wireTime(updatedMs),
    scheduled_details: { cron, body },
    scheduled_runs: {
      last_run_at: lastRunMs === null ? null : wireTime(lastRunMs),
      next_run_at: nextRunMs === null ? null : wireTime(nextRunMs),
    },
  };
}
