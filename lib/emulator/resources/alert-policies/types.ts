/** What a policy watches: the kind of resource, and whether its value is a percentage. */
export interface PolicyType {
  readonly watches: 'droplet' | 'load balancer' | 'database' | 'autoscale pool';
  readonly percent: boolean;
}

/** Every type of alert policy. Source: the OpenAPI document, component `alert_policy_request`. */
export const policyTypes: ReadonlyMap<string, PolicyType> = new Map([
  ...under('v1/insights/droplet/', 'droplet', {
    percent: ['memory_utilization_percent', 'disk_utilization_percent', 'cpu'],
    other: [
      'load_1',
      'load_5',
      'load_15',
      'disk_read',
      'disk_write',
      'public_outbound_bandwidth',
      'public_inbound_bandwidth',
      'private_outbound_bandwidth',
      'private_inbound_bandwidth',
    ],
  }),
  ...under('v1/insights/lbaas/', 'load balancer', {
    percent: [
      'avg_cpu_utilization_percent',
      'connection_utilization_percent',
      'tls_connections_per_second_utilization_percent',
      'increase_in_http_error_rate_percentage_5xx',
      'increase_in_http_error_rate_percentage_4xx',
    ],
    other: [
      'droplet_health',
      'increase_in_http_error_rate_count_5xx',
      'increase_in_http_error_rate_count_4xx',
      'high_http_request_response_time',
      'high_http_request_response_time_50p',
      'high_http_request_response_time_95p',
      'high_http_request_response_time_99p',
    ],
  }),
  ...under('v1/dbaas/alerts/', 'database', {
    percent: ['memory_utilization_alerts', 'disk_utilization_alerts', 'cpu_alerts'],
    other: ['load_15_alerts'],
  }),
  ...under('v1/droplet/autoscale_alerts/', 'autoscale pool', {
    percent: ['current_cpu_utilization', 'target_cpu_utilization', 'current_memory_utilization', 'target_memory_utilization'],
    other: ['current_instances', 'target_instances', 'scale_up', 'scale_down'],
  }),
]);

function under(
  path: string,
  watches: PolicyType['watches'],
  names: { readonly percent: readonly string[]; readonly other: readonly string[] },
): readonly (readonly [string, PolicyType])[] {
  return [
    ...names.percent.map((name) => [path + name, { watches, percent: true }] as const),
    ...names.other.map((name) => [path + name, { watches, percent: false }] as const),
  ];
}
