import { hooks } from 'virtual:hooks';
import { listing } from 'virtual:tool-listing';
import { serveHooks } from '../../../lib/webhooks/serve-hooks.ts';
import { toolsets } from './tools.ts';

const handler = serveHooks({ hooks, engine: () => import('virtual:hooks-engine'), toolsets, listing });

export const main = handler;
