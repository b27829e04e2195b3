import { account } from '../../../lib/tools/account/index.ts';

export const toolsets = [account];
