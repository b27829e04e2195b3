// Deploys a project with the platform's public deployer, as a process of its own, for it reads its settings when it is loaded.
// Usage: NIMBELLA_DIR=<directory of credentials.json> node nimbella-deploy.mjs <project directory> [--remote-build]
// Prints one line of JSON: {successes: [names], failures: [messages]}.
import deployer from '@nimbella/nimbella-deployer';

const [dir, option] = process.argv.slice(2);
// What it tells on the way goes to stderr: stdout is the outcome.
console.log = console.error;
deployer.initializeAPI('deckhand-test');
const flags = {
  verboseBuild: false,
  verboseZip: false,
  production: false,
  incremental: false,
  yarn: false,
  remoteBuild: option === '--remote-build',
  json: true,
};
const runtimes = await deployer.initRuntimes();
const outcome = await deployer.deployProject(dir, {}, undefined, deployer.fileSystemPersister, flags, runtimes);
process.stdout.write(
  `${JSON.stringify({
    successes: outcome.successes.map((success) => success.name),
    failures: outcome.failures.map((failure) => `${failure.context ?? 'project'}: ${failure.message}`),
  })}\n`,
);
