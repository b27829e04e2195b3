import { account } from '../../../lib/tools/account/index.ts';
import { databases } from '../../../lib/tools/databases/index.ts';
import { dns } from '../../../lib/tools/dns/index.ts';
import { images } from '../../../lib/tools/images/index.ts';
import { insights } from '../../../lib/tools/insights/index.ts';
import { instances } from '../../../lib/tools/instances/index.ts';
import { network } from '../../../lib/tools/network/index.ts';
import { traffic } from '../../../lib/tools/traffic/index.ts';

export const toolsets = [account, insights, instances, images, databases, dns, traffic, network];
