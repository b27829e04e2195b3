import { expect } from 'vitest';
import type { Json, Platform } from './platform.ts';

export interface Point {
  readonly second: number;
  readonly value: number;
}

export const secondOf = (moment: string): number => Date.parse(moment) / 1000;

/** The moment at which `frozenPlatform` stands still. */
export const NOON = secondOf('2026-02-10T12:00:00Z');

/** The series of a metric over a window, as labels and points. */
export async function seriesOf(
  platform: Platform,
  metric: string,
  query: Readonly<Record<string, string | number>>,
): Promise<readonly { readonly labels: Json; readonly points: readonly Point[] }[]> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
  const { status, body } = await platform.get(`/v2/monitoring/metrics/${metric}?${text}`);
  expect([status, body.status, body.data?.resultType], JSON.stringify(body)).toEqual([200, 'success', 'matrix']);
  return body.data.result.map(({ metric: labels, values }: Json) => ({
    labels,
    points: values.map(([second, value]: [number, string]) => ({ second, value: Number(value) })),
  }));
}

/** The points of a metric that has one series; none when it has none. */
export async function pointsOf(
  platform: Platform,
  metric: string,
  query: Readonly<Record<string, string | number>>,
): Promise<readonly Point[]> {
  const all = await seriesOf(platform, metric, query);
  expect(all.length).toBeLessThanOrEqual(1);
  return all[0]?.points ?? [];
}

export const valuesOf = (points: readonly Point[]): readonly number[] => points.map(({ value }) => value);
