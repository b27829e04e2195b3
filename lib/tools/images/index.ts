import type { Toolset } from '../../catalogue/tool.ts';
import { imageActionTools } from './action.ts';
import { imageTools } from './image.ts';
import { sizeTools } from './size.ts';

/** Images to start instances from, their actions, and the sizes instances come in. */
export const images: Toolset = {
  name: 'images',
  title: 'Images and sizes',
  tools: [...imageTools, ...imageActionTools, ...sizeTools],
};
