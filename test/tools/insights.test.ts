import { describe } from 'vitest';
import { eachIsItsRequest, eachMakesItsRequests } from '../support/cases.ts';
import { insightCases, insightRunCases } from './cases/insights.ts';

describe('the tools for uptime checks and alert policies', () => eachIsItsRequest(insightCases));
describe('those that read before they write', () => eachMakesItsRequests(insightRunCases));
