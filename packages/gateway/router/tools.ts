import { account } from '../../../lib/tools/account/index.ts';
import { images } from '../../../lib/tools/images/index.ts';
import { instances } from '../../../lib/tools/instances/index.ts';

export const toolsets = [account, instances, images];
