import { expect, it } from 'vitest';
import type { RoutedCase, RunCase } from '../tools/cases/case.ts';
import { callOf, callsOf } from './call-of.ts';

/** The test of a tool is one equality: what the platform is asked. */
export function eachIsItsRequest(cases: readonly RoutedCase[]): void {
  it.each(cases)('%s %j', (name, given, request) => {
    expect(callOf(name, given)).toEqual(request);
  });
}

/** The same for tools that make several requests. */
export function eachMakesItsRequests(cases: readonly RunCase[]): void {
  it.each(cases)('%s %j', async (name, given, replies, requests) => {
    const { calls, answer } = await callsOf(name, given, replies);
    expect(calls).toEqual(requests);
    expect(answer.json).toMatchObject({ isError: false });
  });
}
