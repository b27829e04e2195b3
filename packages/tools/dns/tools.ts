import { dns } from '../../../lib/tools/dns/index.ts';

export const toolsets = [dns];
