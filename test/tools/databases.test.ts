import { describe, expect, it } from 'vitest';
import { everyTool } from '../support/call-of.ts';
import { eachIsItsRequest, eachMakesItsRequests } from '../support/cases.ts';
import { databaseCases, databaseRunCases } from './cases/databases.ts';

describe('the database tools', () => eachIsItsRequest(databaseCases));
describe('those that read before they write', () => eachMakesItsRequests(databaseRunCases));

it('the list of topics says which of its arguments are not sent', () => {
  const { description } = everyTool.tool('db-cluster-list-topics');
  expect(description).toContain('with_projects, only_deployed, public_only and usecases have no effect');
});
