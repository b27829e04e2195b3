import { images } from '../../../lib/tools/images/index.ts';

export const toolsets = [images];
