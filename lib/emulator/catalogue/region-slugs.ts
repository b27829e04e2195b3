/** The regions in which new resources can be made. */
export const openRegions: readonly string[] = [
  'nyc1',
  'nyc2',
  'nyc3',
  'sfo2',
  'sfo3',
  'ams3',
  'sgp1',
  'lon1',
  'fra1',
  'tor1',
  'blr1',
  'syd1',
];

/** The regions that have the newer machines. */
export const premiumRegions: readonly string[] = ['nyc1', 'nyc3', 'sfo3', 'ams3', 'sgp1', 'lon1', 'fra1', 'tor1', 'blr1', 'syd1'];

/** The regions that have machines for storage and memory. */
export const specialRegions: readonly string[] = ['nyc1', 'nyc3', 'sfo3', 'ams3', 'sgp1', 'fra1', 'syd1'];
