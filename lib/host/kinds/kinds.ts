/** A runtime a function can ask for (specification 3, "Supported runtimes"). */
export interface Kind {
  readonly kind: string;
  readonly major: number;
  /** Whether the runtime brings packages of its own (specification 3, "Packages provided by the runtime"). */
  readonly providesPackages: boolean;
  readonly default: boolean;
}

/** Every kind there is. `nodejs:default` stands for the one marked so. */
export const kinds: readonly Kind[] = [
  { kind: 'nodejs:14', major: 14, providesPackages: false, default: false },
  { kind: 'nodejs:18', major: 18, providesPackages: false, default: false },
  { kind: 'nodejs:22', major: 22, providesPackages: true, default: false },
  { kind: 'nodejs:24', major: 24, providesPackages: true, default: true },
];

/** The kind of that name, `nodejs:default` resolved; undefined for an unknown one. */
export function findKind(name: string): Kind | undefined {
  return kinds.find((kind) => kind.kind === name || (name === 'nodejs:default' && kind.default));
}

export function providesPackages(name: string): boolean {
  return findKind(name)?.providesPackages ?? false;
}
