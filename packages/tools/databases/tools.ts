import { databases } from '../../../lib/tools/databases/index.ts';

export const toolsets = [databases];
