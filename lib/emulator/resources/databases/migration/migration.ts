/** The copying of another database into a cluster. Source: the OpenAPI document, component `online_migration`. */
export interface Migration {
  readonly id: string;
  readonly status: 'running' | 'syncing' | 'canceled' | 'error' | 'done';
  readonly created_at: string;
}
