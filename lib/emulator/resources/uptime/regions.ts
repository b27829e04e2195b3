/** Where checks are probed from. Source: the OpenAPI document, component `check_updatable`. */
export const checkRegions = ['us_east', 'us_west', 'eu_west', 'se_asia'] as const;

export type CheckRegion = (typeof checkRegions)[number];
