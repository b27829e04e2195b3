const everyMs = 500;

/**
 * Ends this process, as by SIGTERM, when npm has gone that runs it. npm passes a signal on to the shell between the two alone, and that ends without a word
 * to the process it runs.
 */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, everyMs).unref();
}
