import { insights } from '../../../lib/tools/insights/index.ts';

export const toolsets = [insights];
