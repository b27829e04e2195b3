import type { Toolset } from '../../catalogue/tool.ts';
import { clusterTools } from './cluster.ts';
import { configTools } from './config.ts';
import { databaseFirewallTools } from './firewall.ts';
import { migrationTools } from './migration.ts';
import { topicTools } from './topic.ts';
import { userTools } from './user.ts';

/** Managed databases: clusters, migrations, who may connect, topics, configuration, users. */
export const databases: Toolset = {
  name: 'databases',
  title: 'Managed databases',
  tools: [...clusterTools, ...migrationTools, ...databaseFirewallTools, ...topicTools, ...configTools, ...userTools],
};
