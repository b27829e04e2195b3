import { describe } from 'vitest';
import { eachIsItsRequest, eachMakesItsRequests } from '../support/cases.ts';
import { networkCases, networkRunCases } from './cases/network.ts';

describe('the tools for VPCs, peerings and prefixes', () => eachIsItsRequest(networkCases));
describe('the tools for reserved IPs, and the members of a VPC', () => eachMakesItsRequests(networkRunCases));
