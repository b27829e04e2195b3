import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openapiPresent, operations } from '../support/openapi.ts';
import { accountStories } from './dots/account.ts';
import { databaseEngineStories } from './dots/database-engines.ts';
import { databaseStories } from './dots/databases.ts';
import { dropletStories } from './dots/droplets.ts';
import { functionStories } from './dots/functions.ts';
import { imageStories } from './dots/images.ts';
import { knownLosses, knownProblems } from './dots/known.ts';
import { metricStories } from './dots/metrics.ts';
import { nameStories } from './dots/names.ts';
import { networkStories } from './dots/networks.ts';
import { officialClient } from './dots/official-client.ts';
import { tagStories } from './dots/tags.ts';
import { trafficStories } from './dots/traffic.ts';
import { watchStories } from './dots/watch.ts';
import { driven, problems } from './driven.ts';
import { explained } from './known.ts';
import { type Stage, stage } from './stage.ts';

describe("the platform's official client", () => {
  const lost = new Set<string>();
  let ground: Stage;
  beforeAll(async () => {
    ground = await stage();
  });
  afterAll(async () => {
    await ground.close();
  });
  const enter = async () => officialClient(await ground.account(), lost);

  accountStories(enter);
  dropletStories(enter);
  imageStories(enter);
  tagStories(enter);
  networkStories(enter);
  nameStories(enter);
  trafficStories(enter);
  watchStories(enter);
  metricStories(enter);
  databaseStories(enter);
  databaseEngineStories(enter);
  functionStories(() => officialClient({ ...ground.owner, later: async () => {} }, lost));

  describe.skipIf(!openapiPresent)('by the document', () => {
    it('drove every operation', () => {
      expect([...driven(ground.exchanges)].sort()).toEqual([...operations()].sort());
    });

    it('sent and was sent what the document says, but for what is known', () => {
      expect(explained(problems(ground.exchanges), knownProblems)).toEqual({ unexplained: [], idle: [] });
    });
  });

  it('lost nothing of a reply on the way into its models, but for what is known', () => {
    expect(explained(lost, knownLosses)).toEqual({ unexplained: [], idle: [] });
  });
});
