import { describe } from 'vitest';
import { eachIsItsRequest } from '../support/cases.ts';
import { dnsCases } from './cases/dns.ts';

describe('the tools for domains, records and certificates', () => eachIsItsRequest(dnsCases));
