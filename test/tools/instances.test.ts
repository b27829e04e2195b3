import { describe } from 'vitest';
import { eachIsItsRequest } from '../support/cases.ts';
import { instanceCases } from './cases/instances.ts';

describe('the instance tools', () => eachIsItsRequest(instanceCases));
