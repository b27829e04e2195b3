import type { DeployedFunction } from './deployed-function.ts';
import { fullName } from './function-record.ts';

/** Environment variables. */
export type Environment = Readonly<Record<string, string>>;

/** What a function finds in its environment, worked out of its full name and the variables it was deployed with. */
export type EnvironmentOf = (fullName: string, deployed: Environment) => Environment;

/**
 * The way to the environment of any function: `rule` says it for those of one namespace, also where they are called through a binding; others have what
 * they were deployed with. A promise of the rule makes promises until it is kept.
 */
export function environments(
  rule: EnvironmentOf | Promise<EnvironmentOf> | undefined,
  isRuled: (namespace: string) => boolean,
): (deployed: DeployedFunction) => Environment | Promise<Environment> {
  let known = rule instanceof Promise ? undefined : rule;
  const toCome =
    rule instanceof Promise
      ? rule.then((kept) => {
          known = kept;
          return kept;
        })
      : undefined;
  return ({ namespace, record, env }) => {
    if (!isRuled(namespace)) return env;
    const of = (own: EnvironmentOf): Environment => own(fullName(record), env);
    if (known) return of(known);
    return toCome ? toCome.then(of) : env;
  };
}
