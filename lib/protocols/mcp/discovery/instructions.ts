import { instructions } from '../instructions.ts';

const [purpose = '', ...conventions] = instructions.split('\n');

/** What a client tells its model where tools are found before they are called. */
export const discoveryInstructions = [
  purpose,
  'Its tools are not listed here. Find them with tool-search; call those that only read with tool-read, all others with tool-run: {"tool": "instance-get", "arguments": {"ID": 1}}. The tools named below are called the same way.',
  ...conventions,
].join('\n');
