import { describe } from 'vitest';
import { eachIsItsRequest, eachMakesItsRequests } from '../support/cases.ts';
import { globalLoadBalancerCases, trafficCases, trafficRunCases } from './cases/traffic.ts';

describe('the tools for firewalls and load balancers', () => eachIsItsRequest([...trafficCases, ...globalLoadBalancerCases]));
describe('those that read before they write', () => eachMakesItsRequests(trafficRunCases));
