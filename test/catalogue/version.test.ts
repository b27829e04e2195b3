import { expect, it } from 'vitest';
import { version } from '../../lib/catalogue/version.ts';
import manifest from '../../package.json' with { type: 'json' };

it('the version that is told is that of the package', () => {
  expect(version).toBe(manifest.version);
});
