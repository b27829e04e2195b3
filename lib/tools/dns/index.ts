import type { Toolset } from '../../catalogue/tool.ts';
import { certificateTools } from './certificate.ts';
import { domainTools } from './domain.ts';
import { recordTools } from './record.ts';

/** Domains, their records, and certificates. */
export const dns: Toolset = {
  name: 'dns',
  title: 'Domains, DNS records and certificates',
  tools: [...domainTools, ...recordTools, ...certificateTools],
};
