import { z } from 'zod';
import { path } from '../../catalogue/path.ts';
import type { PlatformCalls } from '../../catalogue/platform-calls.ts';
import { tool } from '../../catalogue/tool.ts';
import { engineOf } from './engine.ts';
import { clusterId, optionalPaging, pageQuery, pageText } from './fields.ts';
import { clusterRecovery, listTopics, showTopic, topicRecovery } from './recovery.ts';
import { lostDigits, wideInteger, withWideIntegers } from './wide-integers.ts';

const topicName = () => z.string();
const integer = () => z.int().optional();

/** The fields of a topic's configuration that the specification names. Others pass: the platform judges them. */
const topicConfig = () =>
  z
    .looseObject({
      cleanup_policy: z.string().optional(),
      compression_type: z.string().optional(),
      delete_retention_ms: wideInteger(),
      flush_messages: wideInteger(),
      flush_ms: wideInteger(),
      index_interval_bytes: integer(),
      max_compaction_lag_ms: wideInteger(),
      max_message_bytes: integer(),
      message_down_conversion_enable: z.boolean().optional(),
      message_format_version: z.string().optional(),
      message_timestamp_difference_max_ms: wideInteger(),
      message_timestamp_type: z.string().optional(),
      min_cleanable_dirty_ratio: z.number().optional(),
      min_compaction_lag_ms: wideInteger(),
      min_insync_replicas: integer(),
      preallocate: z.boolean().optional(),
      retention_bytes: wideInteger(),
      retention_ms: wideInteger(),
      segment_bytes: integer(),
      segment_index_bytes: integer(),
      segment_jitter_ms: wideInteger(),
      segment_ms: wideInteger(),
    })
    .describe('Integers over 2^53 as text');

/** What create and update take beside the name. */
const topicFields = () => ({
  partition_count: z.string().optional().describe('An integer; it can only grow'),
  replication_factor: z.string().optional().describe('Copies of each partition, an integer up to the number of nodes'),
  config: topicConfig().optional(),
});

const countTexts = { partition_count: 'integer', replication_factor: 'integer' } as const;

interface TopicInput {
  readonly partition_count?: string;
  readonly replication_factor?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

function topicBody({ partition_count, replication_factor, config }: TopicInput) {
  return {
    partition_count: partition_count === undefined ? undefined : Number(partition_count),
    replication_factor: replication_factor === undefined ? undefined : Number(replication_factor),
    config: config === undefined ? undefined : withWideIntegers(config),
  };
}

/** Only kafka has topics. */
function onKafka(id: string, platform: PlatformCalls): Promise<string> {
  return engineOf({ id, engines: ['kafka'] }, platform);
}

const readOnly = { readOnly: true, destructive: false, idempotent: true };

export const topicTools = [
  tool({
    name: 'db-cluster-list-topics',
    title: 'List the topics of a kafka cluster',
    description: 'The topics of a kafka cluster. with_projects, only_deployed, public_only and usecases have no effect.',
    input: () =>
      z.object({
        id: clusterId(),
        ...optionalPaging(),
        with_projects: z.string().optional(),
        only_deployed: z.string().optional(),
        public_only: z.string().optional(),
        usecases: z.string().optional(),
      }),
    texts: { ...pageText, with_projects: 'boolean', only_deployed: 'boolean', public_only: 'boolean' },
    calls: ['GET /v2/databases/{id}', 'GET /v2/databases/{id}/topics'],
    async run({ id, page, per_page }, platform) {
      await onKafka(id, platform);
      return platform.request({ method: 'GET', path: path`/v2/databases/${id}/topics`, query: pageQuery({ page, per_page }) });
    },
    hints: readOnly,
    returns: 'topics',
    summary: ['name', 'state', 'partition_count', 'replication_factor'],
    recover: clusterRecovery,
  }),
  tool({
    name: 'db-cluster-create-topic',
    title: 'Create a topic',
    description: 'Creates a topic on a kafka cluster. It is "configuring" at first, then "active".',
    input: () => z.object({ id: clusterId(), name: topicName(), ...topicFields() }),
    texts: countTexts,
    check: ({ config }) => lostDigits('config', config),
    calls: ['GET /v2/databases/{id}', 'POST /v2/databases/{id}/topics'],
    async run({ id, name, ...topic }, platform) {
      await onKafka(id, platform);
      return platform.request({ method: 'POST', path: path`/v2/databases/${id}/topics`, body: { name, ...topicBody(topic) } });
    },
    hints: { readOnly: false, destructive: false, idempotent: false },
    returns: 'topic',
    verify: showTopic,
    recover: [{ when: /exist|taken/i, next: (input) => [showTopic(input)] }, ...clusterRecovery],
  }),
  tool({
    name: 'db-cluster-get-topic',
    title: 'Get a topic',
    description: 'One topic of a kafka cluster: its partitions with their state, and its whole configuration.',
    input: () => z.object({ id: clusterId(), name: topicName() }),
    calls: ['GET /v2/databases/{id}', 'GET /v2/databases/{id}/topics/{name}'],
    async run({ id, name }, platform) {
      await onKafka(id, platform);
      return platform.request({ method: 'GET', path: path`/v2/databases/${id}/topics/${name}` });
    },
    hints: readOnly,
    returns: 'topic',
    recover: topicRecovery,
  }),
  tool({
    name: 'db-cluster-delete-topic',
    title: 'Delete a topic',
    description: 'Deletes a topic of a kafka cluster and all its messages.',
    input: () => z.object({ id: clusterId(), name: topicName() }),
    calls: ['GET /v2/databases/{id}', 'DELETE /v2/databases/{id}/topics/{name}'],
    async run({ id, name }, platform) {
      await onKafka(id, platform);
      return platform.request({ method: 'DELETE', path: path`/v2/databases/${id}/topics/${name}` });
    },
    hints: { readOnly: false, destructive: true, idempotent: true },
    verify: listTopics,
    recover: topicRecovery,
  }),
  tool({
    name: 'db-cluster-update-topic',
    title: 'Change a topic',
    description: 'Changes partitions, replication or configuration of a topic. What is left out keeps its value; partitions only grow.',
    input: () => z.object({ id: clusterId(), name: topicName(), ...topicFields() }),
    texts: countTexts,
    check: ({ config }) => lostDigits('config', config),
    calls: ['GET /v2/databases/{id}', 'PUT /v2/databases/{id}/topics/{name}'],
    async run({ id, name, ...topic }, platform) {
      await onKafka(id, platform);
      return platform.request({ method: 'PUT', path: path`/v2/databases/${id}/topics/${name}`, body: topicBody(topic) });
    },
    hints: { readOnly: false, destructive: false, idempotent: true },
    returns: 'topic',
    verify: showTopic,
    recover: topicRecovery,
  }),
];
