import { describe } from 'vitest';
import { eachIsItsRequest } from '../support/cases.ts';
import { accountCases } from './cases/account.ts';

describe('the account tools', () => eachIsItsRequest(accountCases));
