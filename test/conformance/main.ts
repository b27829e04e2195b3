import { startFixture } from './fixture-server.ts';
import { revisions, runSuite, type SuiteRun } from './run-suite.ts';

/**
 * `npm run conformance [revision ...]`: runs the official suite against the fixture at each revision, and says what it found.
 * @returns 0 when the suite has no complaint, else 1
 */
export async function main(args: readonly string[]): Promise<number> {
  const fixture = await startFixture();
  try {
    let held = true;
    for (const revision of args.length > 0 ? args : revisions) {
      const before = fixture.invocations();
      const found = await runSuite(fixture.url, revision);
      process.stdout.write(`${summary(found)}, ${fixture.invocations() - before} invocations\n`);
      const complaints = complaintsOf(found);
      for (const complaint of complaints) process.stdout.write(`  ${complaint}\n`);
      held &&= complaints.length === 0;
    }
    return held ? 0 : 1;
  } finally {
    await fixture.close();
  }
}

/** Everything that is not as it should be, a line each. */
export function complaintsOf({ revision, exitCode, scenarios, missing, output }: SuiteRun): readonly string[] {
  if (scenarios.length === 0) return [`the suite did not run ${revision}: ${output.trim()}`];
  return [
    ...(exitCode === 0 ? [] : [`the suite ended with ${exitCode}`]),
    ...missing.map((name) => `${name}: has no results`),
    ...scenarios.flatMap(({ name, complaints }) => complaints.map((complaint) => `${name}: ${complaint}`)),
  ];
}

function summary({ revision, scenarios }: SuiteRun): string {
  const count = (which: typeof scenarios) => `${which.filter(({ complaints }) => complaints.length === 0).length} of ${which.length}`;
  const checks = scenarios.reduce((sum, { passed }) => sum + passed, 0);
  const skipped = scenarios.reduce((sum, scenario) => sum + scenario.skipped.length, 0);
  const scored = scenarios.filter((scenario) => scenario.scored);
  const others = scenarios.filter((scenario) => !scenario.scored);
  return `${revision}: ${count(scored)} scored scenarios, ${count(others)} others; ${checks} checks passed, ${skipped} do not apply`;
}
