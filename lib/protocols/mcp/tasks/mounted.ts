import type { Method, Methods } from '../method.ts';

const state: Method = async (message, scope) => (await import('./task-methods.ts')).taskState(message, scope);
const acknowledge: Method = async (message, scope) => (await import('./task-methods.ts')).acknowledged(message, scope);

/** The methods of tasks, loaded with the first that is called. */
export const taskMethods: NonNullable<Methods['sealed']> = {
  'tasks/get': state,
  'tasks/update': acknowledge,
  'tasks/cancel': acknowledge,
};
