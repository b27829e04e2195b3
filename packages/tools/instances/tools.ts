import { instances } from '../../../lib/tools/instances/index.ts';

export const toolsets = [instances];
