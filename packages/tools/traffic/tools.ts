import { traffic } from '../../../lib/tools/traffic/index.ts';

export const toolsets = [traffic];
