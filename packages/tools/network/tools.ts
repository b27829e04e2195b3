import { network } from '../../../lib/tools/network/index.ts';

export const toolsets = [network];
