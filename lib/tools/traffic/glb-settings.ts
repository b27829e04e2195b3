import { z } from 'zod';
import { shown } from '../../catalogue/reading/words.ts';
import type { Problem } from '../../errors.ts';

export interface GlbSettings {
  readonly TargetProtocol?: string;
  readonly TargetPort?: number;
  readonly CDN?: { readonly IsEnabled?: boolean };
  readonly RegionPriorities?: Readonly<Record<string, unknown>>;
  readonly FailoverThreshold?: number;
}

/** Settings of a global load balancer. The specification leaves their fields open; these are the platform's. */
export function glbSettings() {
  return z.strictObject({
    TargetProtocol: z.enum(['http', 'https', 'http2']).optional(),
    TargetPort: z.int().min(1).max(65_535).optional(),
    CDN: z.strictObject({ IsEnabled: z.boolean().optional() }).optional(),
    RegionPriorities: z.looseObject({}).optional().describe('Region slug -> priority, 1 is the first'),
    FailoverThreshold: z.int().min(1).max(99).optional().describe('Percentage of failing targets at which a region is left for the next'),
  });
}

/** The settings as the platform words them; what is not given is left out. */
export function glbBody({ TargetProtocol, TargetPort, CDN, RegionPriorities, FailoverThreshold }: GlbSettings) {
  return {
    ...(TargetProtocol !== undefined && { target_protocol: TargetProtocol }),
    ...(TargetPort !== undefined && { target_port: TargetPort }),
    ...(CDN?.IsEnabled !== undefined && { cdn: { is_enabled: CDN.IsEnabled } }),
    ...(RegionPriorities !== undefined && { region_priorities: RegionPriorities }),
    ...(FailoverThreshold !== undefined && { failover_threshold: FailoverThreshold }),
  };
}

/** What is wrong with the priorities, whose names are regions and so in no schema. */
export function glbProblems({ RegionPriorities = {} }: GlbSettings = {}): readonly Problem[] {
  return Object.entries(RegionPriorities)
    .filter(([, priority]) => !Number.isSafeInteger(priority))
    .map(([region, priority]) => ({ field: `GLBSettings.RegionPriorities.${region}`, got: shown(priority), expected: 'an integer' }));
}
