import { accountCases } from './account.ts';
import type { RoutedCase, RunCase } from './case.ts';
import { databaseCases, databaseRunCases } from './databases.ts';
import { dnsCases } from './dns.ts';
import { imageCases } from './images.ts';
import { insightCases, insightRunCases } from './insights.ts';
import { instanceCases } from './instances.ts';
import { networkCases, networkRunCases } from './network.ts';
import { globalLoadBalancerCases, trafficCases, trafficRunCases } from './traffic.ts';

/** Calls of every tool that is one request. */
export const routedCases: readonly RoutedCase[] = [
  ...accountCases,
  ...insightCases,
  ...instanceCases,
  ...imageCases,
  ...databaseCases,
  ...dnsCases,
  ...trafficCases,
  ...globalLoadBalancerCases,
  ...networkCases,
];

/** Calls of every tool that makes several requests. */
export const runCases: readonly RunCase[] = [...insightRunCases, ...databaseRunCases, ...trafficRunCases, ...networkRunCases];

/** Arguments that a tool takes. */
export function exampleOf(tool: string): object {
  const [, given] = [...routedCases, ...runCases].find(([name]) => name === tool) ?? [];
  if (given === undefined) throw new Error(`test/tools/cases has no call of ${tool}`);
  return given;
}
