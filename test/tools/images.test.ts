import { describe } from 'vitest';
import { eachIsItsRequest } from '../support/cases.ts';
import { imageCases } from './cases/images.ts';

describe('the image and size tools', () => eachIsItsRequest(imageCases));
