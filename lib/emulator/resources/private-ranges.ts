import { ipv4, isPrivate, type Network, networkSize, parseNetwork } from './addresses.ts';

/** Reads a private range as a VPC may have it; undefined for any other text. Source: the OpenAPI document, component `vpc_create`. */
export function privateRange(text: string): Network | undefined {
  const network = parseNetwork(text);
  const fits = network !== undefined && isPrivate(network) && network.prefix >= MIN_PREFIX && network.prefix <= MAX_PREFIX;
  return fits ? network : undefined;
}

/** The first free /20, from 10.100.0.0 on; `inTheWay` answers with a taken network that overlaps. Undefined when there is none left. */
export function freeRange(inTheWay: (network: Network) => Network | undefined): Network | undefined {
  for (const [first, last] of HOMES) {
    let network: Network = { base: first, prefix: GENERATED_PREFIX };
    while (lastAddress(network) <= last) {
      const taken = inTheWay(network);
      if (taken === undefined) {
        return network;
      }
      network = { base: nextBase(lastAddress(taken)), prefix: GENERATED_PREFIX };
    }
  }
  return undefined;
}

export function lastAddress({ base, prefix }: Network): number {
  return base + networkSize(prefix) - 1;
}

const MIN_PREFIX = 16;
const MAX_PREFIX = 28;
const GENERATED_PREFIX = 20;

/** Where ranges are generated, in this order: what people choose themselves is mostly elsewhere than the first. */
const HOMES: readonly (readonly [first: number, last: number])[] = [
  [ipv4(10, 100), ipv4(11) - 1],
  [ipv4(10), ipv4(10, 100) - 1],
  [ipv4(172, 16), ipv4(172, 32) - 1],
  [ipv4(192, 168), ipv4(192, 169) - 1],
];

function nextBase(lastTaken: number): number {
  const size = networkSize(GENERATED_PREFIX);
  return (Math.floor(lastTaken / size) + 1) * size;
}
