import { regions, regionText } from '../catalogue/regions.ts';
import { sizes, sizeText } from '../catalogue/sizes.ts';
import { fixedSource, listReply } from '../paging.ts';
import { type Family, route } from './family.ts';

const regionTexts = fixedSource(regions.map((region) => regionText(region.slug)));
const sizeTexts = fixedSource(sizes.map((size) => sizeText(size.slug)));

/** Regions and sizes. Source: operations regions_list and sizes_list. */
export const catalogueFamily: Family = {
  routes: [
    route('GET /v2/regions', {}, (request) => listReply(request, 'regions', regionTexts)),
    route('GET /v2/sizes', {}, (request) => listReply(request, 'sizes', sizeTexts)),
  ],
};
