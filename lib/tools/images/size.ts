import { z } from 'zod';
import { paging } from '../../catalogue/fields.ts';
import { tool } from '../../catalogue/tool.ts';

export const sizeTools = [
  tool({
    name: 'size-list',
    title: 'List sizes',
    description: 'Sizes of instances: memory in MB, CPUs, disk in GB, prices in US dollars, and the regions that have them.',
    input: () => z.object(paging(50)),
    route: 'GET /v2/sizes',
    returns: 'sizes',
    summary: ['slug', 'description', 'memory', 'vcpus', 'disk', 'price_monthly', 'price_hourly', 'available', 'regions'],
  }),
];
