import { isRecord } from '../../catalogue/is-record.ts';
import type { PlatformRecord } from '../../catalogue/platform-calls.ts';
import { type ForwardingRule, forwardingBody } from './forwarding-rules.ts';
import { type GlbSettings, glbBody } from './glb-settings.ts';

/** What a load balancer is made of, as arguments. */
export interface LoadBalancerInput {
  readonly Name: string;
  readonly Region?: string;
  /** Ids as the specification passes them here: texts. */
  readonly InstanceIDs?: readonly string[];
  readonly Tag?: string;
  readonly ForwardingRules?: readonly ForwardingRule[];
  readonly Type?: string;
  readonly Network?: string;
  readonly SizeUnit?: number;
  readonly NetworkStack?: string;
  readonly ProjectID?: string;
  readonly TargetLoadBalancerIDs?: readonly string[];
  readonly GLBSettings?: GlbSettings;
}

/** The body that creates a load balancer. */
export function newLoadBalancer(input: LoadBalancerInput) {
  return { ...given(input), ...members(input) };
}

/**
 * The body that changes a load balancer. The platform replaces it in full and sets what is not sent back to its default, so the load balancer as it
 * stands goes along, without what only the platform writes.
 */
export function changedLoadBalancer(input: LoadBalancerInput, current: PlatformRecord) {
  const { id, ip, ipv6, status, created_at, size, region, tag, droplet_ids, ...kept } = current;
  const currentRegion = isRecord(region) ? region.slug : undefined;
  const settings = { ...(isRecord(kept.glb_settings) ? kept.glb_settings : {}), ...glbBody(input.GLBSettings ?? {}) };
  return {
    ...withoutNothing(kept),
    // The older measure of size, which contradicts the newer where both are sent.
    ...(kept.size_unit === undefined && withoutNothing({ size })),
    ...withoutNothing({ region: currentRegion }),
    ...given(input),
    ...(Object.keys(settings).length > 0 && { glb_settings: settings }),
    ...members(input, { tag, droplet_ids }),
  };
}

/** The arguments that were given, in the platform's words. */
function given(input: LoadBalancerInput) {
  return withoutNothing({
    name: input.Name,
    region: input.Region,
    forwarding_rules: input.ForwardingRules && forwardingBody(input.ForwardingRules),
    type: input.Type,
    network: input.Network,
    size_unit: input.SizeUnit,
    network_stack: input.NetworkStack,
    project_id: input.ProjectID,
    target_load_balancer_ids: input.TargetLoadBalancerIDs,
    glb_settings: input.GLBSettings && glbBody(input.GLBSettings),
  });
}

/** A load balancer has instances by their ids or by a tag; giving the one drops the other. A global one has neither. */
function members({ InstanceIDs, Tag, Type }: LoadBalancerInput, current: PlatformRecord = {}) {
  if (Tag) return { tag: Tag };
  if (InstanceIDs) return { droplet_ids: InstanceIDs.map(Number) };
  if (Tag === undefined && typeof current.tag === 'string' && current.tag !== '') return { tag: current.tag };
  if (Array.isArray(current.droplet_ids)) return { droplet_ids: current.droplet_ids };
  return Type === 'GLOBAL' ? {} : { droplet_ids: [] };
}

function withoutNothing(record: PlatformRecord): PlatformRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null && value !== ''));
}
