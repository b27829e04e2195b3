import type { Account } from '../../../store/account.ts';
import { collection, type Entry, type Source } from '../../../store/collection.ts';
import type { Chosen } from '../settings/settings.ts';

/** A topic as lists show it. Source: the OpenAPI document, component `kafka_topic`. */
export interface Topic {
  readonly name: string;
  readonly state: 'active' | 'configuring' | 'deleting' | 'unknown';
  readonly replication_factor: number;
  readonly partition_count: number;
}

export interface TopicHidden {
  readonly cluster: string;
  readonly settings: Chosen;
  /** When the latest change has taken effect; a row for another moment no longer counts. */
  readonly activeAtMs?: number;
}

export type TopicEntry = Entry<Topic, TopicHidden>;

export const topics = collection<Topic, TopicHidden>({
  table: 'database_topics',
  key: 'text',
  id: (topic, { cluster }) => topicId(cluster, topic.name),
  columns: {
    cluster: { of: (_topic, { cluster }) => cluster, index: 'counted' },
    replicas: { of: (topic) => topic.replication_factor },
  },
});

/** Under which id a topic is stored: no cluster id has a slash. */
export function topicId(cluster: string, name: string): string {
  return `${cluster}/${name}`;
}

/** The topics of a cluster in the order of their creation. */
export function topicSource(account: Account, cluster: string): Source {
  const { total } = topics.sourceWhere(account, 'cluster', cluster);
  return topics.sourceOf(account, total, 'SELECT id FROM database_topics WHERE cluster = ? ORDER BY seq', cluster);
}

/** The replicas of the topic that has most; 0 without topics. */
export function mostReplicas(account: Account, cluster: string): number {
  return Number(account.sql('SELECT MAX(replicas) AS most FROM database_topics WHERE cluster = ?').get(cluster)?.most ?? 0);
}

export function removeTopics(account: Account, cluster: string): void {
  for (const { wire } of topics.where(account, 'cluster', cluster)) {
    topics.remove(account, topicId(cluster, wire.name));
  }
}
