import { describe } from 'vitest';
import { eachIsItsRequest, eachMakesItsRequests } from '../support/cases.ts';
import { databaseCases, databaseRunCases } from './cases/databases.ts';

describe('the database tools', () => eachIsItsRequest(databaseCases));
describe('those that read before they write', () => eachMakesItsRequests(databaseRunCases));
