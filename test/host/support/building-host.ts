import { buildSlice } from '../../../lib/cli/start/build-slice.ts';
import { startHost } from '../../../lib/host/start-host.ts';

// A host in a process of its own that builds what it is sent, so that it can be killed while it does. Its argument is the data directory.
const [, , dataDir = ''] = process.argv;
const { url, port, namespace, auth } = await startHost({ dataDir, remoteBuild: buildSlice });
process.stdout.write(`${JSON.stringify({ url, port, namespace, auth })}\n`);
