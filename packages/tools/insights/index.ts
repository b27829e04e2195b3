import { listing } from 'virtual:tool-listing';
import { serve } from '../../../lib/protocols/serve.ts';
import { toolsets } from './tools.ts';

const handler = serve({ toolsets, listing, searchIndex: () => import('virtual:search-index') });

export const main = handler;
