import type { Account } from '../../store/account.ts';

/** Where peerings reach: every VPC and every region of one, so that each is listed and counted by its own index. */
export const peeredVpcTables: readonly string[] = [
  'CREATE TABLE vpc_peering_places (place TEXT NOT NULL, seq INTEGER NOT NULL, peering TEXT NOT NULL, PRIMARY KEY (place, seq)) WITHOUT ROWID',
];

export const vpcPlace = (vpc: string): string => `vpc:${vpc}`;
export const regionPlace = (region: string): string => `region:${region}`;

/** How many peerings reach a place, those that are going included. */
export function peeringTotal(account: Account, place: string): number {
  return account.total(totalOf(place));
}

/** Notes a peering at the places it reaches; `seq` is its place in the order of arrival. */
export function enterPlaces(account: Account, places: readonly string[], seq: number, peering: string): void {
  for (const place of places) {
    account.run('INSERT INTO vpc_peering_places (place, seq, peering) VALUES (?, ?, ?)', place, seq, peering);
    account.count(totalOf(place), 1);
  }
}

export function leavePlaces(account: Account, places: readonly string[], seq: number): void {
  for (const place of places) {
    account.run('DELETE FROM vpc_peering_places WHERE place = ? AND seq = ?', place, seq);
    account.count(totalOf(place), -1);
  }
}

/** The query for `collection.sourceOf`: ids of the peerings at a place, newest first. */
export const PEERINGS_AT = 'SELECT peering AS id FROM vpc_peering_places WHERE place = ? ORDER BY seq DESC';

function totalOf(place: string): string {
  return `vpc-peerings.${place}`;
}
