import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openapiPresent, operations } from '../support/openapi.ts';
import { accountStories } from './dots-wrapper/account.ts';
import { communityClient } from './dots-wrapper/community-client.ts';
import { databaseStories } from './dots-wrapper/databases.ts';
import { dropletStories } from './dots-wrapper/droplets.ts';
import { imageStories } from './dots-wrapper/images.ts';
import { absent, knownProblems } from './dots-wrapper/known.ts';
import { metricStories } from './dots-wrapper/metrics.ts';
import { nameStories } from './dots-wrapper/names.ts';
import { trafficStories } from './dots-wrapper/traffic.ts';
import { driven, problems } from './driven.ts';
import { explained } from './known.ts';
import { type Stage, stage } from './stage.ts';

describe("the community's client", () => {
  let ground: Stage;
  beforeAll(async () => {
    ground = await stage();
  });
  afterAll(async () => {
    await ground.close();
  });
  const enter = async () => communityClient(await ground.account());

  accountStories(enter);
  dropletStories(enter);
  imageStories(enter);
  nameStories(enter);
  trafficStories(enter);
  metricStories(enter);
  databaseStories(enter);

  describe.skipIf(!openapiPresent)('by the document', () => {
    it('drove every operation that it has', () => {
      const had = operations().filter((operation) => !absent.some(({ what }) => what.test(operation)));
      expect([...driven(ground.exchanges)].sort()).toEqual([...had].sort());
      expect(explained(operations(), absent).idle).toEqual([]);
    });

    it('sent and was sent what the document says, but for what is known', () => {
      expect(explained(problems(ground.exchanges), knownProblems)).toEqual({ unexplained: [], idle: [] });
    });
  });
});
